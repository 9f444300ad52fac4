"""Names as people write them in a job: schema.table, with quotes where a part holds a dot."""

from __future__ import annotations

from collections.abc import Iterable

from kanon_sql.errors import JobError


def split_name(name: str) -> tuple[str, ...]:
    """The parts of a dotted name; a part in double quotes may hold dots and doubled quotes."""
    parts: list[str] = []
    part = ""
    i = 0
    while i < len(name):
        if name[i] == '"' and part == "":
            end = i + 1
            while True:
                end = name.find('"', end)
                if end < 0:
                    raise JobError(f"unbalanced quote in the name {name!r}")
                if name[end : end + 2] == '""':
                    end += 2
                    continue
                break
            part = name[i + 1 : end].replace('""', '"')
            i = end + 1
            if i < len(name) and name[i] != ".":
                raise JobError(f"text after a quoted part in the name {name!r}")
        elif name[i] == ".":
            parts.append(part)
            part = ""
            i += 1
        else:
            part += name[i]
            i += 1
    parts.append(part)
    if any(p == "" for p in parts):
        raise JobError(f"empty part in the name {name!r}")
    return tuple(parts)


def written_name(parts: Iterable[str]) -> str:
    """The dotted name of the parts, as a job would write it: split_name reads it back."""
    return ".".join(
        '"' + part.replace('"', '""') + '"' if "." in part or part.startswith('"') else part for part in parts
    )
