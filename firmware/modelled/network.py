"""A network that is always joined, for boards with the transport mqtt."""

STA_IF = 0


class WLAN:
    def __init__(self, interface):
        self.interface = interface

    def active(self, is_active):
        pass

    def isconnected(self):
        return True
