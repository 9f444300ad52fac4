"""Codes side by side in words tell the classes of every node apart, and no more."""

from __future__ import annotations

import itertools

import duckdb
import pytest

from kanon_sql.model.lattice import is_generalization
from kanon_sql.sql import words as words_module
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.packed_keys import packed_keys
from kanon_sql.sql.words import Words

STAR = (3, 1, 2)
SIZES = [[9, 4, 2, 1], [5, 1], [3, 1, 1]]
NODES = list(itertools.product(*(range(star + 1) for star in STAR)))


def classes(connection: duckdb.DuckDBPyConnection, table: str, keys: list[str]) -> list[tuple[int, ...]]:
    return sorted(connection.execute(f"select sum(n) from {table} group by {', '.join(keys) or '()'}").fetchall())


@pytest.mark.parametrize("bits", [5, 9, 62])
@pytest.mark.parametrize("bottom", [(0, 0, 0), (1, 0, 2)])
def test_words_group_as_code_columns_do(bits: int, bottom: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_module, "KEY_BITS", bits)
    dialect = DuckDBDialect()
    words = Words.of(bottom, STAR, SIZES)
    assert max((first + taken for _, first, taken in words.places.values())) <= bits
    with duckdb.connect() as connection:
        connection.execute(
            "create table base as select v as q0_0, v // 3 as q0_1, v // 5 as q0_2, (v * v + i) % 5 as q1_0, i % 3 as q2_0, "
            "0 as q2_1, 1 + i % 4 as n from (select i, (i * 7) % 9 as v from range(200) as r(i))"
        )
        columns = ", ".join(f"{expression} as {name}" for expression, name in words.columns(dialect))
        connection.execute(f"create table words as select {columns}, n from base")
        for node in NODES:
            if not is_generalization(node, bottom):
                continue
            expected = classes(connection, "base", packed_keys(dialect, node, STAR, SIZES))
            assert classes(connection, "words", words.keys(node)) == expected
            if not words.from_bottom(node):
                continue
            rolled = ", ".join(f"{expression} as {name}" for expression, name in words.from_bottom(node))
            connection.execute(f"create or replace table rolled as select {rolled}, n from words")
            for above in NODES:
                if is_generalization(above, node):
                    expected = classes(connection, "base", packed_keys(dialect, above, STAR, SIZES))
                    assert classes(connection, "rolled", words.keys(above)) == expected
