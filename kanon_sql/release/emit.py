"""A node's release as one statement that stands alone, for a team that wants to read, review and own it.

It shares the labels' expressions and the shape of a class with a run, but no work table: what is dropped is decided anew
wherever and whenever the statement runs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kanon_sql.config.privacy_models import models_beyond_k
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import meaning
from kanon_sql.model.privacy.model import Hierarchy, PrivacyModel
from kanon_sql.model.published_type import STORED, TEXT
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape, figure_columns
from kanon_sql.sql.generalized import Generalized, generalized
from kanon_sql.sql.statement import Statement
from kanon_sql.version import VERSION
from kanon_sql.workbench.population import find_population
from kanon_sql.workbench.workbench import Workbench, published_columns


def recoding_statement(bench: Workbench, node: Node, source: str | None = None, withheld: int = 0) -> Statement:
    """The release of the job at a node; `source` takes the place of the source's name (a template's reference).

    `withheld`: the rows that the release leaves out because of earlier ones, which no statement over the source knows.
    """
    dialect, job = bench.dialect, bench.job
    models = models_beyond_k(job)
    columns = published_columns(job, bench.columns)
    quasi = [attribute.name for attribute in bench.attributes]
    sensitive = list(dict.fromkeys(model.column for model in models if model.column is not None))
    person = job.source.person
    rows = _labelled(bench, node, columns, sensitive, person)
    population = None
    if any(model.needs_population for model in models):
        found = find_population(bench)
        people = generalized(dialect, statements.emit.PEOPLE, bench.attributes, node, found.person, published=True)
        population = (dialect.relation(found.table), people, found.values)
    kinds = {name: kind.kind for name, kind in bench.kinds.items()}
    return statements.emit.recoding(
        dialect,
        header=_header(bench, node, models, withheld),
        source=source or _source(bench),
        values=bench.values,
        rows=rows,
        columns=columns,
        quasi=quasi,
        order=[
            dialect.ordered(dialect.identifier(attribute.name), _ordered_as(attribute, level))
            for attribute, level in zip(bench.attributes, node, strict=True)
        ],
        person=person,
        sensitive=[
            (name, dialect.ordered(dialect.identifier(name), kinds[name]), _hierarchy(models, name))
            for name in sensitive
        ],
        population=population,
        shape=_shape(bench, models, sensitive, person is not None),
    )


def _source(bench: Workbench) -> str:
    file = bench.job.source.file
    if file is not None:
        return bench.selectable_file(file, bench.job.source.options, "source.file")
    return bench.dialect.relation(bench.table)


def _labelled(
    bench: Workbench, node: Node, columns: Sequence[str], sensitive: Sequence[str], person: str | None
) -> Generalized:
    """Every published column under its name, and what the filter reads beside them."""
    at_node = generalized(bench.dialect, statements.emit.SOURCE, bench.attributes, node, published=True)
    labels = dict(at_node.columns)
    beside = [name for name in sensitive if name not in columns]
    named = [(name, labels.get(name, f"rows.{bench.dialect.identifier(name)}")) for name in (*columns, *beside)]
    if person is not None:
        named.append(("kanon_person", f"rows.{bench.dialect.identifier(person)}"))
    return dataclasses.replace(at_node, columns=tuple(named))


def _ordered_as(attribute: Attribute, level: int) -> str:
    """The kind by which a published column is ordered."""
    if attribute.published_as in (TEXT, STORED):
        return "text" if level or attribute.published_as == TEXT else attribute.kind
    return attribute.published_as


def _hierarchy(models: Sequence[PrivacyModel], column: str) -> Hierarchy | None:
    return next((model.hierarchy for model in models if model.column == column and model.hierarchy), None)


def _shape(bench: Workbench, models: Sequence[PrivacyModel], sensitive: Sequence[str], person: bool) -> ClassShape:
    """When a class violates, over the statement's own tables."""
    columns: dict[str, ClassColumn] = {}
    conditions: list[str] = []
    orders: dict[int, str] = {}
    hierarchies = {}
    for model in models:
        aliases: dict[str, str] = {}
        if model.column is not None:
            index = sensitive.index(model.column)
            codes = [_code(bench, index, value) for value in model.named_values]
            aliases = figure_columns(model, index, codes, columns)
            if model.hierarchy:
                hierarchies[index] = statements.emit.hierarchy_table(index)
            if model.order:
                orders[index] = _order(bench, model.order)
        conditions.append(model.violates().format(**aliases))
    return ClassShape(
        bench.job.privacy.search_k,
        person,
        columns=tuple(columns.values()),
        conditions=tuple(dict.fromkeys(conditions)),
        hierarchies=hierarchies,
        orders=orders,
        population=statements.emit.POPULATION if any(model.needs_population for model in models) else None,
    )


def _code(bench: Workbench, index: int, value: str) -> str:
    """The code of a value the job names, as a subquery; none of the rows has it where the value does not occur."""
    table = bench.dialect.relation(statements.emit.sensitive_table(index))
    text = bench.dialect.as_text("value")
    return f"(select code from {table} where {text} = {bench.dialect.text_literal(value)})"


def _order(bench: Workbench, order: Sequence[str]) -> str:
    text = bench.dialect.as_text("whole.value")
    branches = " ".join(
        f"when {text} = {bench.dialect.text_literal(value)} then {place}" for place, value in enumerate(order)
    )
    return f"case {branches} else -1 end"


def _header(bench: Workbench, node: Node, models: Sequence[PrivacyModel], withheld: int) -> list[str]:
    """What the statement is, as comments."""
    k = bench.job.privacy.k
    whose = "persons" if bench.job.source.person is not None else "rows"
    lines = [
        f"The release of {bench.job.name}, written by kanon_sql {VERSION}: every combination of the quasi-identifiers",
        f"is shared by at least {bench.job.privacy.search_k} {whose} (k = {k}); all other rows are left out.",
    ]
    lines += [
        f"  {attribute.name}: {meaning(attribute.levels[level])}"
        for attribute, level in zip(bench.attributes, node, strict=True)
    ]
    lines += [f"  and {model.label}" for model in models]
    if withheld:
        lines.append(
            f"The release withholds {counted(withheld, 'more row')} for the sake of earlier releases; this statement does not."
        )
    return [" ".join(line.split("\n")).replace("\r", " ") for line in lines]
