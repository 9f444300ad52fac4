"""Writing a file for others: whole or not at all, as private as the umask says, and never through a symbolic link."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from kanon_sql.errors import JobError


def check_place(path: Path) -> None:
    """Refuse a place that must not be written to, before there is anything to write."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise JobError(f"cannot write {path}: {error.strerror}", "name a place that can be written") from error
    if stat.S_ISLNK(mode):
        raise JobError(f"cannot write {path}: it is a symbolic link", "name the file itself: links are not followed")
    if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        raise JobError(f"cannot write {path}: it is not a file", "name a file")


def write_file(path: Path, content: str | bytes) -> None:
    """A file that is there whole, or as it was: somebody may read it at any moment. A device or a pipe is written to as it is."""
    check_place(path)
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "wb") as device:
                device.write(data)
            return
        fresh = path.with_name(f".kanon-{secrets.token_hex(8)}")
        made = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            with os.fdopen(made, "wb") as file:
                file.write(data)
            os.replace(fresh, path)
        except BaseException:
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise
    except OSError as error:
        raise JobError(
            f"cannot write {path}: {error.strerror}", "name a place that can be written and has space"
        ) from error
