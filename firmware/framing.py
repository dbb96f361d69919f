"""Frames: one message per line, as compact JSON that ends in its own checksum.

The same file runs on a reader board (MicroPython) and in the companion (Python), so both ends agree byte for byte:

    {"v":1,"seq":7,"type":"ping","echo":42,"crc":"01234567"}

`v` is the protocol's version, `seq` counts the frames of one sender, and `crc` is the CRC-32 of all bytes before
`,"crc":`. What the types mean is in PROTOCOL.md. Nothing here does input or output.
"""

import binascii
import json

PROTOCOL = 1
MAX_FRAME = 4096  # bytes with the newline; a longer line is dropped by whoever reads it
SEQ_LIMIT = 1 << 24  # stays a small integer on a 32-bit board

_NEWLINE = 0x0A
_RETURN = 0x0D
_QUOTE = 0x22
_BACKSLASH = 0x5C
_ESCAPED = b'"\\'
_BYTES = (bytes, bytearray, memoryview)
_LISTS = (list, tuple)
_HEAD = b'{"v":'
_TAIL = b',"crc":"'
_TAIL_SIZE = len(_TAIL) + 8 + 2  # with the eight digits and `"}`
_UPPER = b"0123456789ABCDEF"
_LOWER = b"0123456789abcdef"


class FrameError(ValueError):
    """A message that no frame can carry: too long, or with a value that is neither text, integer nor a list of them."""


class Encoder:
    """Writes messages into one buffer that is allocated once.

    Bytes become a string of upper-case hexadecimal digits, which is how a tag's UID travels. Floats are refused:
    the boards would round them differently.
    """

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self.seq = 0  # of the next frame
        self._buffer = bytearray(limit)
        self._view = memoryview(self._buffer)
        self._size = 0

    def encode(self, kind: str, fields: "dict[str, object]") -> memoryview:
        """Gives the frame, newline included, as a view that the next call overwrites. Raises FrameError."""
        self._size = 0
        self._raw(b'{"v":')
        self._integer(PROTOCOL)
        self._raw(b',"seq":')
        self._integer(self.seq)
        self._raw(b',"type":')
        self._text(kind)
        for name in sorted(fields):  # MicroPython's dictionaries have no order, and both ends shall write the same
            self._byte(0x2C)
            self._text(name)
            self._byte(0x3A)
            self._value(fields[name])
        self._checksum()
        self.seq = (self.seq + 1) % SEQ_LIMIT
        return self._view[: self._size]

    def _checksum(self) -> None:
        crc = binascii.crc32(self._view[: self._size])
        self._raw(_TAIL)
        for shift in range(28, -4, -4):
            self._byte(_LOWER[(crc >> shift) & 15])
        self._raw(b'"}\n')

    def _byte(self, byte: int) -> None:
        if self._size == len(self._buffer):
            raise FrameError("a frame may have %d bytes, and this message is longer" % len(self._buffer))
        self._buffer[self._size] = byte
        self._size += 1

    def _raw(self, chunk: bytes) -> None:
        for byte in chunk:
            self._byte(byte)

    def _value(self, value: object) -> None:
        if value is None:
            self._raw(b"null")
        elif value is True:
            self._raw(b"true")
        elif value is False:
            self._raw(b"false")
        elif isinstance(value, int):
            self._integer(value)
        elif isinstance(value, str):
            self._text(value)
        elif isinstance(value, _BYTES):
            self._hexadecimal(value)
        elif isinstance(value, _LISTS):
            self._sequence(value)
        elif isinstance(value, dict):
            self._mapping(value)
        else:
            raise FrameError("a frame cannot carry %r, which is a %s" % (value, type(value).__name__))

    def _integer(self, value: int) -> None:
        if value < 0:
            self._byte(0x2D)
            value = -value
        divisor = 1
        while divisor * 10 <= value:
            divisor *= 10
        while divisor:
            self._byte(0x30 + value // divisor % 10)
            divisor //= 10

    def _text(self, value: str) -> None:
        self._byte(_QUOTE)
        for byte in value.encode():
            if byte < 0x20:
                self._raw(b"\\u00")
                self._byte(_LOWER[byte >> 4])
                self._byte(_LOWER[byte & 15])
                continue
            if byte in _ESCAPED:
                self._byte(_BACKSLASH)
            self._byte(byte)
        self._byte(_QUOTE)

    def _hexadecimal(self, value: "bytes | bytearray | memoryview") -> None:
        self._byte(_QUOTE)
        for byte in value:
            self._byte(_UPPER[byte >> 4])
            self._byte(_UPPER[byte & 15])
        self._byte(_QUOTE)

    def _sequence(self, values: "list[object] | tuple[object, ...]") -> None:
        self._byte(0x5B)
        for position, value in enumerate(values):
            if position:
                self._byte(0x2C)
            self._value(value)
        self._byte(0x5D)

    def _mapping(self, fields: "dict[str, object]") -> None:
        self._byte(0x7B)
        for position, name in enumerate(sorted(fields)):
            if position:
                self._byte(0x2C)
            self._text(name)
            self._byte(0x3A)
            self._value(fields[name])
        self._byte(0x7D)


class Decoder:
    """Finds messages in bytes that arrive in any pieces, with memory for one line. Never raises on input.

    What it cannot use it drops and counts: `junk` (not a frame), `corrupt` (wrong checksum), `overlong`, `malformed`
    (right checksum, wrong content), `repeated` (the last frame again), `refused` (another version; the sentence is in
    `refusal`). `missed` counts frames that never came, by their sequence numbers. An empty line counts as nothing.
    """

    COUNTERS = ("junk", "corrupt", "overlong", "malformed", "repeated", "refused", "missed")

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self.frames = 0
        self.junk = 0
        self.corrupt = 0
        self.overlong = 0
        self.malformed = 0
        self.repeated = 0
        self.refused = 0
        self.missed = 0
        self.refusal = ""
        self._line = bytearray(limit)
        self._view = memoryview(self._line)
        self._size = 0
        self._is_skipping = False
        self._last_seq = -1
        self._last_crc = 0

    @property
    def dropped(self) -> "dict[str, int]":
        """Every counter but `frames`, by name."""
        return {name: getattr(self, name) for name in self.COUNTERS}

    def forget(self) -> None:
        """Starts afresh on a new connection: half a line and the last sequence number mean nothing there."""
        self._size = 0
        self._is_skipping = False
        self._last_seq = -1

    def feed(self, chunk: bytes) -> "list[dict[str, object]]":
        """Takes some bytes and gives the messages that they completed."""
        messages = []
        start = 0
        while start < len(chunk):
            end = chunk.find(b"\n", start)
            is_whole = end >= 0
            if not is_whole:
                end = len(chunk)
            self._keep(chunk, start, end)
            if is_whole:
                message = self._finish()
                if message is not None:
                    messages.append(message)
            start = end + 1
        return messages

    def push(self, byte: int) -> "dict[str, object] | None":
        """Takes one byte, without allocating, and gives the message if that was the end of one."""
        if byte == _NEWLINE:
            return self._finish()
        if self._size < len(self._line):
            self._line[self._size] = byte
            self._size += 1
        else:
            self._is_skipping = True
        return None

    def _keep(self, chunk: bytes, start: int, end: int) -> None:
        if self._is_skipping or end - start > len(self._line) - self._size:
            self._is_skipping = True
            return
        self._line[self._size : self._size + end - start] = chunk[start:end]
        self._size += end - start

    def _finish(self) -> "dict[str, object] | None":
        size, is_overlong = self._size, self._is_skipping
        self._size = 0
        self._is_skipping = False
        if is_overlong:
            self.overlong += 1
            return None
        if size and self._line[size - 1] == _RETURN:
            size -= 1
        return self._message(size) if size else None

    def _message(self, size: int) -> "dict[str, object] | None":
        start = 0
        crc = self._stated_crc(0, size)
        if crc < 0 or crc != self._true_crc(0, size):
            # Half a frame or a stray line may stand before a whole one.
            start = bytes(self._view[:size]).rfind(_HEAD)
            if start > 0 and self._true_crc(start, size) == self._stated_crc(start, size):
                self.junk += 1
                crc = self._stated_crc(start, size)
            else:
                self._count_unusable(crc)
                return None
        try:
            message = json.loads(bytes(self._view[start:size]).decode())
        except (ValueError, TypeError, RuntimeError):  # a RuntimeError is too deep a nesting
            self.malformed += 1
            return None
        return self._accepted(message, crc)

    def _count_unusable(self, crc: int) -> None:
        if crc < 0:
            self.junk += 1
        else:
            self.corrupt += 1

    def _true_crc(self, start: int, size: int) -> int:
        return binascii.crc32(self._view[start : max(start, size - _TAIL_SIZE)])

    def _stated_crc(self, start: int, size: int) -> int:
        """The checksum that a line ends in, or -1 if it does not look like a frame."""
        line, tail = self._line, size - _TAIL_SIZE
        if tail < start + 2 or line[start] != 0x7B or line[size - 2] != _QUOTE or line[size - 1] != 0x7D:
            return -1
        for position, byte in enumerate(_TAIL):
            if line[tail + position] != byte:
                return -1
        crc = 0
        for position in range(size - 10, size - 2):
            digit = _digit(line[position])
            if digit < 0:
                return -1
            crc = crc << 4 | digit
        return crc

    def _accepted(self, message: object, crc: int) -> "dict[str, object] | None":
        if not isinstance(message, dict):
            self.malformed += 1
            return None
        version, seq, kind = message.get("v"), message.get("seq"), message.get("type")
        if version != PROTOCOL:
            self.refused += 1
            self.refusal = refusal_of(version)
            return None
        if not isinstance(seq, int) or not 0 <= seq < SEQ_LIMIT or not isinstance(kind, str):
            self.malformed += 1
            return None
        if seq == self._last_seq and crc == self._last_crc:
            self.repeated += 1
            return None
        self._count_missed(seq, kind)
        self._last_seq = seq
        self._last_crc = crc
        self.frames += 1
        return message

    def _count_missed(self, seq: int, kind: str) -> None:
        if self._last_seq >= 0 and kind != "hello":  # a hello may come from a board that has just started again
            self.missed += (seq - self._last_seq - 1) % SEQ_LIMIT


def _digit(byte: int) -> int:
    if 0x30 <= byte <= 0x39:
        return byte - 0x30
    return byte - 0x57 if 0x61 <= byte <= 0x66 else -1


def refusal_of(version: object) -> str:
    """The sentence for a peer of another protocol version."""
    return "This end speaks protocol version %d and the other end sent %s. Update the older of the two." % (
        PROTOCOL,
        repr(version)[:40],
    )
