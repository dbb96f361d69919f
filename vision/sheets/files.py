"""Writing sheets to a folder: whole or not at all, with a kind sentence when it can't be done."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from vision.errors import VisionError


class SheetError(VisionError):
    """A sheet can't be made; its sentence says why and what to do."""

    def __init__(self, code: str, **data: str) -> None:
        self.code = code
        super().__init__(**data)


def ready_folder(folder: Path) -> Path:
    """The folder, made where it is missing. Raises `SheetError` when nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise _kind(folder, error) from error


def write_whole(path: Path, content: bytes) -> Path:
    """Puts a file in place in one step, so that a full disk or a pulled plug never leaves half a sheet."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise _kind(path, error) from error
    finally:
        _forget(part)
    return path


def _forget(part: Path) -> None:
    try:
        part.unlink(missing_ok=True)
    except OSError:
        return  # the folder itself is gone or closed to us, which the caller is being told already


def _kind(path: Path, error: OSError) -> SheetError:
    return SheetError("sheet_unwritable", path=str(path), what=error.strerror or type(error).__name__)
