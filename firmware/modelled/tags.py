"""Tags in the air over an antenna: ISO 14443-3 type A, with their states, checksums and cascade levels."""

IDLE, READY, ACTIVE, HALT = "IDLE", "READY", "ACTIVE", "HALT"


def crc_a(chunk):
    """The checksum of ISO 14443-3 type A, low byte first."""
    crc = 0x6363
    for byte in chunk:
        mixed = byte ^ crc & 0xFF
        mixed = (mixed ^ mixed << 4) & 0xFF
        crc = crc >> 8 ^ mixed << 8 ^ mixed << 3 ^ mixed >> 4
    return bytes((crc & 0xFF, crc >> 8 & 0xFF))


def levels_of(uid):
    """The four bytes and their check byte that a tag shows at each cascade level."""
    if len(uid) == 4:
        parts = [uid]
    elif len(uid) == 7:
        parts = [b"\x88" + uid[:3], uid[3:]]
    else:
        parts = [b"\x88" + uid[:3], b"\x88" + uid[3:6], uid[6:]]
    return [bytes(part) + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts]


class Tag:
    """A sticker or card. Its answers are (number, how many bits), the first bit lowest; None is silence."""

    def __init__(self, uid):
        self.uid = bytes(uid)
        self.state = IDLE
        self._home = IDLE  # where it falls back to: IDLE, or HALT for one that was woken from there
        self._level = 0
        self._levels = levels_of(self.uid)
        self._saks = []
        for level in range(len(self._levels)):
            sak = b"\x04" if level + 1 < len(self._levels) else b"\x00"
            self._saks.append(sak + crc_a(sak))
        self._atqa = b"\x44\x00" if len(self._levels) > 1 else b"\x04\x00"

    def power_off(self):
        self.state = self._home = IDLE
        self._level = 0

    def hear(self, frame, last_bits):
        """Takes a frame from the reader (`last_bits` of its last byte are valid, 0 for all) and gives the answer."""
        if len(frame) == 1 and last_bits == 7:
            return self._called(frame[0])
        if self.state == READY and frame[0] == 0x93 + 2 * self._level:
            if frame[1] == 0x70:
                return self._selected(frame)
            return self._asked(frame, last_bits)
        if bytes(frame) == b"\x50\x00\x57\xcd" and self.state == ACTIVE:
            self.state = self._home = HALT
        elif self.state in (READY, ACTIVE):
            self.state = self._home
        return None

    def _called(self, request):
        is_awake = self.state in (READY, ACTIVE)
        if is_awake or request not in (0x26, 0x52) or (request == 0x26 and self.state == HALT):
            if is_awake:
                self.state = self._home
            return None
        self.state = READY
        self._level = 0
        return _number(self._atqa), 16

    def _asked(self, frame, last_bits):
        known = ((frame[1] >> 4) - 2) * 8 + (frame[1] & 7)
        mine = _number(self._levels[self._level])
        theirs = _number(frame[2:])
        if (mine ^ theirs) & ((1 << known) - 1):
            return None
        return mine >> known, 40 - known

    def _selected(self, frame):
        level = self._level
        if bytes(frame[2:7]) != self._levels[level] or bytes(frame[7:9]) != crc_a(frame[:7]):
            self.state = self._home
            return None
        if level + 1 < len(self._levels):
            self._level = level + 1
        else:
            self.state = ACTIVE
        return _number(self._saks[level]), 24


def _number(chunk):
    return int.from_bytes(bytes(chunk), "little")
