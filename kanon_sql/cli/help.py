"""`kanon --help`: the commands by what one does with them, each with its whole sentence."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from kanon_sql.flows import SECTIONS


class SortedCommands(TyperGroup):
    """A group whose help is sorted into sections. Written by the plain formatter: rich would double the time to start."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands under their headings; a sentence that is too long for the line goes on in the next."""
        width = max(len(name) for name in self.commands)
        for heading, names in SECTIONS.items():
            rows = [(name.ljust(width), _sentence(self.commands[name])) for name in names if name in self.commands]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def _sentence(command: Any) -> str:
    return (command.help or "").strip().split("\n\n")[0].replace("\n", " ")
