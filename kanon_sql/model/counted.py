"""A number with what it counts, as people say it: 1 row, 297,075 rows."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 row`, `2,000 rows`; `many` where it is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed_versions(versions: Sequence[int]) -> str:
    """`version 1`, or `versions 1, 2`."""
    return f"version{'' if len(versions) == 1 else 's'} {', '.join(map(str, versions))}"
