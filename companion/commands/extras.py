"""Parts of the companion that are installed only where they are wanted."""

from __future__ import annotations

from importlib.util import find_spec

from companion.games.protocol import Event, FormatError


def need(*modules: str, extra: str) -> None:
    """Raises `FormatError` with the command to type if one of the modules is not installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise FormatError(Event("extra_missing", {"modules": missing, "extra": extra}))
