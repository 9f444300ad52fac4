"""From the job's privacy section to the shape of a class: what is counted, and when a class violates."""

from __future__ import annotations

import dataclasses

from kanon_sql.config.privacy_models import k_anonymity, models_beyond_k
from kanon_sql.errors import HierarchyError, JobError
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.model.privacy.model import PrivacyModel
from kanon_sql.model.privacy.registry import key_of
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape, figure_columns
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.embedded import EmbeddedWorkbench
from kanon_sql.workbench.population import build_population
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class BuiltPrivacy:
    """The shape, whether the whole model is monotone along the lattice within this budget, and the models themselves."""

    shape: ClassShape
    monotone: bool
    models: tuple[PrivacyModel, ...] = ()


def build_shape(
    bench: Workbench,
    sums: tuple[tuple[str, str], ...],
    columns: tuple[ClassColumn, ...],
    *,
    of_population: bool = True,
) -> BuiltPrivacy:
    """`sums` and `columns` are what the objective needs of a class besides; without `of_population`, models against it are passed over."""
    if isinstance(bench, EmbeddedWorkbench):
        assert bench.origin is not None
        built = build_shape(bench.origin, sums, columns)
        bench.bring(built.shape)
        return built
    models = tuple(model for model in models_beyond_k(bench.job) if of_population or not model.needs_population)
    shape = ClassShape(bench.job.privacy.search_k, bench.counts_persons, columns, (), sums)
    asks = any(model.needs_population for model in models)
    population, by_person = build_population(bench) if asks else (None, False)
    wanted: dict[str, ClassColumn] = {}
    conditions: list[str] = []
    core: list[str] = []
    certain: list[str] = []
    hierarchies: dict[int, Relation] = {}
    orders: dict[int, str] = {}
    for model in models:
        aliases: dict[str, str] = {}
        if model.column is not None:
            index = bench.sensitive.index(model.column)
            named = _codes(bench, index, model.named_values)[0] if model.named_values else []
            aliases = figure_columns(model, index, [code for _, code in named], wanted)
            if model.hierarchy:
                hierarchies[index] = _hierarchy(bench, index, model)
            if model.order is not None:
                orders[index] = _order(bench, index, model, model.order)
        conditions.append(model.violates().format(**aliases))
        if part := model.core():
            core.append(part.format(**aliases))
        # Persons do not add up over the parts of a class, rows do.
        if not model.monotone_with_budget and not (model.needs_population and (bench.counts_persons or by_person)):
            certain += [bound.format(**aliases)] if (bound := model.certain()) else []
    shape = dataclasses.replace(
        shape,
        columns=(*columns, *wanted.values()),
        conditions=tuple(dict.fromkeys(conditions)),
        monotone_conditions=tuple(dict.fromkeys(core)),
        certain=tuple(dict.fromkeys(certain)),
        hierarchies=hierarchies,
        orders=orders,
        population=population,
        population_person=by_person,
    )
    every = (k_anonymity(bench.job, searching=True), *models)
    steady = not by_person or all(model.monotone_by_persons for model in models)
    return BuiltPrivacy(shape, is_monotone(every, bench.budget) and steady, every)


def is_monotone(models: tuple[PrivacyModel, ...], budget_rows: int) -> bool:
    """Whether what satisfies all models within the budget still does when generalized."""
    if budget_rows == 0:
        return all(model.monotone for model in models)
    return all(model.monotone_with_budget for model in models)


def _codes(bench: Workbench, index: int, values: tuple[str, ...]) -> tuple[list[tuple[int, int]], int]:
    """(place in the list, code) of the values that occur, and how many values of the table are not in the list."""
    table = bench.names.sensitive(index)
    rows = bench.backend.fetch(statements.levels.sensitive_codes(bench.dialect, table, values))
    counted = [(int(place), int(code)) for place, code in rows]
    return sorted(row for row in counted if row[0] >= 0), next(code for place, code in counted if place < 0)


def _order(bench: Workbench, index: int, model: PrivacyModel, order: tuple[str, ...]) -> str:
    ranks, missing = _codes(bench, index, order)
    if missing:
        raise JobError(
            f"privacy.{key_of(model)}.{model.column}.order: {counted(missing, 'value of the table is', 'values of the table are')} not in the list",
            "name every value, from low to high",
        )
    branches = " ".join(f"when {code} then {place}" for place, code in ranks)
    return (
        f"case whole.code {branches} else -1 end" if ranks else "whole.code"
    )  # NULL, which no list names, comes first


def _hierarchy(bench: Workbench, index: int, model: PrivacyModel) -> Relation:
    rows = model.hierarchy
    levels = len(rows[0]) - 1
    lookup = bench.names.sensitive_lookup(index)
    table = bench.names.sensitive_hierarchy(index)
    if ("table", table) in bench.made:
        return table
    bench.make_table(lookup, statements.levels.lookup(bench.dialect, lookup, levels))
    for start in range(0, len(rows), 1000):
        bench.backend.execute(statements.levels.lookup_rows(bench.dialect, lookup, rows[start : start + 1000]))
    sensitive = bench.names.sensitive(index)
    bench.make_table(
        table,
        statements.levels.sensitive_hierarchy(bench.dialect, table, sensitive, lookup, levels, bench.rows),
    )
    missed = int(bench.backend.fetch_one(statements.levels.uncovered(bench.dialect, table)).uncovered)
    if missed:
        raise HierarchyError(
            f"privacy.{key_of(model)}.{model.column}.hierarchy misses {counted(missed, 'value')} of the table",
            "add a line for each",
        )
    return table
