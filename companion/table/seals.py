"""Sealed plans: when a secret is locked, its salted hash is shown to all; when it is opened, anyone can check it.

The hash is SHA-256 over the salt (32 hexadecimal digits) and the text, joined by a colon, in UTF-8. The salt keeps
others from trying out all plans; it stays with the table until the plan lies open.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from companion.games.protocol import Json

SALT_BYTES = 16


class Seal(NamedTuple):
    """A locked secret. Only `hash` may be shown before it is open."""

    salt: str
    text: str

    @property
    def hash(self) -> str:
        return hashlib.sha256(f"{self.salt}:{self.text}".encode()).hexdigest()

    def __repr__(self) -> str:
        return f"Seal({self.hash[:12]}…)"

    def to_json(self, is_open: bool) -> dict[str, Json]:
        opened = {"salt": self.salt, "text": self.text} if is_open else {"salt": None, "text": None}
        return {"hash": self.hash, **opened}


def new_salt() -> str:
    return secrets.token_hex(SALT_BYTES)


def is_genuine(shown: str, salt: str, text: str) -> bool:
    """Whether an opened secret is the one that was sealed."""
    return secrets.compare_digest(shown, Seal(salt, text).hash)
