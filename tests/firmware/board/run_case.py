"""Runs one case of one file: micropython run_case.py FOLDERS FILE CASE. Without a case, lists them."""

import sys

sys.path[:0] = sys.argv[1].split(":")
module = __import__(sys.argv[2])
if len(sys.argv) == 3:
    print("\n".join(sorted([name for name in dir(module) if name.startswith("case_")])))
else:
    getattr(module, sys.argv[3])()
    print("passed")
