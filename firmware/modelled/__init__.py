"""A board without hardware: `machine`, `network` and reader chips modelled under the real firmware in MicroPython.

No board gets these files. `companion/devices/firmware_node.py` runs them, for a virtual table and for the tests.
"""
