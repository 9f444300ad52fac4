"""Rows that a statement brings back: tuples whose columns have the names that the statement gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any


class Row(tuple[Any, ...]):
    """A row of a result: `row.suppressed`, or by position where a statement has as many columns as a job has attributes."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __getattr__(self, column: str) -> Any: ...


@lru_cache(maxsize=512)
def _row_class(columns: tuple[str, ...]) -> type[Row]:
    fields = {name: property(itemgetter(place)) for place, name in enumerate(columns) if not name.startswith("_")}
    return type("Row", (Row,), {"__slots__": (), **fields})


def named_rows(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> list[Row]:
    return list(map(_row_class(tuple(columns)), rows))
