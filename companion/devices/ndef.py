"""The NDEF text that a phone can write on a tag, so that a lost register can be made again by reading the pieces.

An NDEF text record is a dozen bytes, and ndeflib, which would make it, had its last release in 2019; so these few lines
are our own. Our readers go by UID and never need the text.
"""

from __future__ import annotations

from companion.table.observations import Event, FormatError, Piece

PREFIX = "makabana:"
_HEADER = 0xD1  # one whole record: first, last, short, of a well-known type
_LANGUAGE = b"en"
_UTF16, _LANGUAGE_SIZE = 0x80, 0x3F


def ndef_of(piece: Piece) -> bytes:
    """The NDEF message that says which piece this is."""
    payload = bytes((len(_LANGUAGE),)) + _LANGUAGE + f"{PREFIX}{piece.text}".encode()
    return bytes((_HEADER, 1, len(payload))) + b"T" + payload


def piece_of(message: bytes) -> Piece:
    """The piece that an NDEF message names. Raises `FormatError` if it names none."""
    if len(message) >= 5 and message[0] == _HEADER and message[1] == 1 and message[3:4] == b"T":
        payload = message[4 : 4 + message[2]]
        if len(payload) == message[2] > 0 and not payload[0] & _UTF16:
            text = payload[1 + (payload[0] & _LANGUAGE_SIZE) :].decode("utf-8", "replace")
            if text.startswith(PREFIX):
                return Piece.from_text(text.removeprefix(PREFIX))
    raise FormatError(Event("ndef_not_ours"))
