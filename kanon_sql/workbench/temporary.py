"""Folders for what travels between two engines: only this user may read them, and what a killed process left is removed.

A folder belongs to the process that holds the lock on the file `owner` in it; the operating system frees the lock when that process
ends, however it ends. A folder without such a file is not ours, whatever its name.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "kanon_sql_"
OWNER = "owner"
MARK = "kanon_sql: a folder of a running process\n"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone at the end; should the process be killed, `remove_orphans` finds it."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (folder / OWNER).open("w", encoding="utf-8") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX)
            owner.write(MARK)
            owner.flush()
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_orphans() -> list[str]:
    """Remove this user's folders whose process is gone; returns their names."""
    removed = []
    for folder in sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*")):
        with suppress(OSError):
            if folder.is_symlink() or folder.lstat().st_uid != os.getuid():
                continue
            descriptor = os.open(folder / OWNER, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(descriptor, "r", encoding="utf-8") as owner:
                fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if owner.read() != MARK:
                    continue
                shutil.rmtree(folder)
                removed.append(folder.name)
    return removed
