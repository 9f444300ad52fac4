"""The standalone statement of a recoding, per dialect: by size alone, and with persons, a model and a population."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kanon_sql.model.forms import Form
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.generalized import Generalized, Lookup
from kanon_sql.sql.statement import Statement
from tests.sql.golden_files import DIALECTS, compare


def made(dialect: Dialect, *, models: bool) -> Statement:
    age, race = dialect.identifier("age"), dialect.identifier("race")
    lookup = Lookup("lookup_1", (("a", "x"), ("b", "x")), f"{dialect.as_text(f'rows.{race}')} = lookup_1.value")
    labels = (("age", f"rows.{age}"), ("race", "lookup_1.label_1"))
    beside = (
        ("illness", f"rows.{dialect.identifier('illness')}"),
        ("kanon_person", f"rows.{dialect.identifier('id')}"),
    )
    shape = ClassShape(
        5,
        models,
        columns=(ClassColumn("distinct_0", 0, "count(*)"),) if models else (),
        conditions=("distinct_0 < 2", "population < 9") if models else (),
        population=statements.emit.POPULATION if models else None,
    )
    return statements.emit.recoding(
        dialect,
        header=["The release of release.people"],
        values=[("age", dialect.published(age, Form.FLOAT)), ("race", race)] if models else [],
        source="census.people",
        rows=Generalized(statements.emit.SOURCE, labels + (beside if models else beside[:1]), (lookup,)),
        columns=["age", "race", "illness"],
        quasi=["age", "race"],
        order=[dialect.ordered(age, "integer"), dialect.ordered(race, "text")],
        person="id" if models else None,
        sensitive=[("illness", dialect.ordered(dialect.identifier("illness"), "text"), [("flu", "short")])]
        if models
        else [],
        population=("census.everybody", Generalized(statements.emit.PEOPLE, labels, (lookup,)), []) if models else None,
        shape=shape,
    )


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    dialect = DIALECTS[engine]
    emitted = {"emit/recoding": made(dialect, models=False), "emit/recoding.models": made(dialect, models=True)}
    compare(engine, emitted, golden)
