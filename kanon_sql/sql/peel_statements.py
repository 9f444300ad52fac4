"""The statements that make groups of classes at nodes, and of rows that no class took: homes, dissolved groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.sql.boxes import Boxes, RangeCode, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

KEY_BITS = 62
RANGE_STEPS = (4, 16)
"""A numeric without levels is peeled at its values, at ranges of so many of them, and at `*`."""


@dataclass(frozen=True)
class PeelLevel:
    """A level of an attribute at which rows are put together: its key over a row (none at `*`), the key's values, what a row loses."""

    key: str | None
    size: int
    loss: str


def peel_levels(dialect: Dialect, boxes: Boxes, sizes: dict[int, int]) -> list[list[PeelLevel]]:
    levels: list[list[PeelLevel]] = []
    for code in boxes.codes:
        i, size = code.index, sizes[code.index]
        if isinstance(code, SetCode):
            whole = code.unit * (size - (0 if code.counts_first else 1))
            beyond = [] if code.rule else [PeelLevel(None, 1, str(whole))]  # no class lies across a rule
            levels.append([PeelLevel(f"c{i}", size, "0"), *beyond])
        elif isinstance(code, RangeCode):
            steps = [
                PeelLevel(dialect.quotient(f"c{i}", str(step)), size // step + 1, str(code.full * (step - 1) // size))
                for step in RANGE_STEPS
                if step < size
            ]
            levels.append([PeelLevel(f"c{i}", size, "0"), *steps, PeelLevel(None, 1, str(code.full))])
        else:
            plus = f" + {code.extra}" if code.extra else ""
            inner = [
                PeelLevel(
                    f"f{i}_{j}",
                    size,
                    f"case when t{i}_{j} = f{i}_{j} then 0 else {code.unit} * (t{i}_{j} - f{i}_{j}{plus}) end",
                )
                for j in code.levels
            ]
            levels.append([PeelLevel(f"a{i}", size, "0"), *inner, PeelLevel(None, 1, str(code.full))])
    return levels


def peel_columns(boxes: Boxes) -> list[str]:
    trees = [f"{end}{code.index}_{j}" for code in boxes.trees for j in code.levels for end in "ft"]
    return [*boxes.cut_columns, *(f"a{code.index}" for code in boxes.positional), *trees]


def level_losses(dialect: Dialect, rows: Relation, levels: Sequence[Sequence[PeelLevel]]) -> Statement:
    options = [(i, j, level.loss) for i, of in enumerate(levels) for j, level in enumerate(of)]
    return render(dialect, "cluster/level_losses", rows=rows, options=options)


def free(dialect: Dialect, table: Relation, rows: Relation, boxes: Boxes, peeled: Relation | None) -> Statement:
    return render(dialect, "cluster/free", table=table, rows=rows, columns=peel_columns(boxes), peeled=peeled)


def peeled(
    dialect: Dialect,
    table: Relation,
    free: Relation,
    levels: Sequence[Sequence[PeelLevel]],
    nodes: Sequence[Sequence[int]],
    k: int,
    first: int,
) -> Statement:
    keyed = [_keys([levels[i][level] for i, level in enumerate(node)]) for node in nodes]
    parts = max(map(len, keyed))
    padded = [[*keys, *["0"] * (parts - len(keys))] for keys in keyed]
    return render(dialect, "cluster/peeled", table=table, free=free, nodes=padded, k=k, first=first)


def _keys(levels: Sequence[PeelLevel]) -> list[str]:
    keys: list[str] = []
    current, radix = "", 1
    for level in levels:
        if level.key is None:
            continue
        if current and radix * level.size < 1 << KEY_BITS:
            current, radix = f"({current}) * {level.size} + {level.key}", radix * level.size
        else:
            if current:
                keys.append(current)
            current, radix = level.key, level.size
    return [*keys, current] if current else ["0"]


def added(dialect: Dialect, closed: Relation, peeled: Relation) -> Statement:
    return render(dialect, "cluster/added", closed=closed, peeled=peeled)


def alone(dialect: Dialect, closed: Relation, free: Relation, first: int) -> Statement:
    return render(dialect, "cluster/alone", closed=closed, free=free, first=first)


def peel_counts(dialect: Dialect, free: Relation, peeled: Relation) -> Statement:
    return render(dialect, "cluster/peel_counts", free=free, peeled=peeled)


def homes(
    dialect: Dialect,
    table: Relation,
    standing: Relation,
    groups: Relation,
    boxes: Boxes,
    runs: Relation | None,
    *,
    k: int,
    room: int,
    budget: int,
    last: int,
) -> Statement:
    """`last`: the greatest number of a group."""
    bits = last.bit_length()
    return render(
        dialect,
        "cluster/homes",
        table=table,
        standing=standing,
        boxes=groups,
        joined=boxes.loss_joined("boxes", "homeless"),
        runs=runs,
        k=k,
        room=room,
        budget=budget,
        full=boxes.full,
        pack=1 << bits,
        ceiling=1 << KEY_BITS - 1 - bits,
    )


def dear(
    dialect: Dialect,
    table: Relation,
    standing: Relation,
    groups: Relation,
    boxes: Boxes,
    runs: Relation | None,
    *,
    k: int,
    most: int,
    budget: int,
) -> Statement:
    return render(
        dialect,
        "cluster/dear",
        table=table,
        standing=standing,
        boxes=groups,
        joined=boxes.loss_joined("boxes", "leaving"),
        runs=runs,
        k=k,
        most=most,
        full=boxes.full if budget else None,
    )


def dissolved(dialect: Dialect, table: Relation, assign: Relation, small: Relation, first: int) -> Statement:
    return render(dialect, "cluster/dissolved", table=table, assign=assign, small=small, first=first)


def far_rows(dialect: Dialect, table: Relation, standing: Relation, boxes: Boxes, k: int, budget: int) -> Statement:
    return render(dialect, "cluster/far_rows", table=table, standing=standing, k=k, full=boxes.full, budget=budget)


def suppressed_rows(dialect: Dialect, assign: Relation) -> Statement:
    return render(dialect, "cluster/suppressed_rows", assign=assign)
