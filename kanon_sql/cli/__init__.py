"""The command line: parses and prints, decides nothing. One file per command family."""

from __future__ import annotations


def main() -> None:
    """The console script `kanon`."""
    import gc
    import os
    import sys

    # A plan is over in a second: collecting garbage and looking for plugins of the validator would be a tenth of it.
    gc.set_threshold(100_000, 50, 50)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from kanon_sql.cli.app import main as app_main

    try:
        app_main()
    finally:
        # On its way out the interpreter would look for garbage among all that was imported: a tenth of a short command. DuckDB's driver
        # complains of what is not found then, on standard error, so where it was used that search stays.
        if "_duckdb" not in sys.modules:
            gc.freeze()
