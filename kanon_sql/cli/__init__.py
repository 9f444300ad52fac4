"""The command line: parses and prints, decides nothing. One file per command family."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """`kanon` within a process that goes on: ends by SystemExit."""
    import gc

    # A plan is over in a second: collecting garbage and looking for plugins of the validator would be a tenth of it.
    gc.set_threshold(100_000, 50, 50)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from kanon_sql.cli.app import main as app_main

    app_main()


def process() -> None:
    """The console script `kanon`, and all its process does."""
    try:
        main()
    except SystemExit as end:
        _leave(end.code)
        raise


def _leave(code: object) -> None:
    """End the process here, unless there is still something to wait for or to say, or somebody watches to the end.

    On its way out the interpreter would take apart all that was imported, and look for garbage in it: a tenth of a short command.
    """
    import atexit
    import threading

    watched = sys.getprofile() is not None or sys.gettrace() is not None
    if watched or threading.active_count() > 1 or not isinstance(code, int | None):
        return
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads it any more: the interpreter knows how to end then
        return
    os._exit(code or 0)
