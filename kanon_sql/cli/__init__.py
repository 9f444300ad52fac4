"""The command line: parses and prints, decides nothing. One file per command family."""

from __future__ import annotations


def main() -> None:
    """The console script `kanon`."""
    from kanon_sql.cli.app import main as app_main

    app_main()
