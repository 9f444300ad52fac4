"""The population a source is a part of: found, checked against the quasi-identifiers, and coded by the source's dictionaries."""

from __future__ import annotations

from kanon_sql.errors import ColumnError, JobError
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.workbench import Workbench


def population_relation(bench: Workbench) -> Relation:
    """The population's table, or a view over its file; every quasi-identifier must be a column of it, of the same kind."""
    section = bench.job.privacy.population
    if section is None:
        raise JobError("the job names no population", "add `privacy.population: {table: ...}`")
    if section.table is not None:
        relation, where = bench.backend.relation(section.table), section.table
    else:
        assert section.file is not None
        relation, where = _file(bench, section.file), section.file
    kinds = {column.name: column.kind for column in bench.backend.describe(relation)}
    if not kinds:
        raise ColumnError(f"privacy.population: there is no table or view {where}", "write schema.table")
    for attribute in bench.attributes:
        if attribute.name not in kinds:
            raise ColumnError(f"privacy.population: {where} has no column {attribute.name}", "a view can name it so")
        if kinds[attribute.name] != attribute.kind:
            raise ColumnError(
                f"privacy.population: {where}.{attribute.name} is {kinds[attribute.name]}, in the source it is {attribute.kind}",
                "cast it in a view",
            )
    return relation


def _file(bench: Workbench, file: str) -> Relation:
    section = bench.job.privacy.population
    assert section is not None
    view = bench.names.population_source
    if ("view", view) not in bench.made:
        selectable = bench.selectable_file(file, section.options, "privacy.population.file")
        bench.make_view(view, statements.levels.source_view(bench.dialect, view, selectable))
    return view


def build_population(bench: Workbench) -> Relation:
    """The coded population: what checks join classes with."""
    table = bench.names.population
    if ("table", table) in bench.made:
        return table
    relation = population_relation(bench)
    raw = bench.names.population_raw
    columns = [(f"v{i}", attribute.name) for i, attribute in enumerate(bench.attributes)]
    bench.make_table(raw, statements.levels.raw(bench.dialect, raw, relation, columns))
    for index, attribute in enumerate(bench.attributes):
        statement = statements.levels.population_dictionary(bench.dialect, bench.names, index, attribute)
        bench.make_table(bench.names.population_dictionary(index), statement)
    bench.make_table(table, statements.levels.population_base(bench.dialect, bench.names, bench.attributes))
    bench.backend.analyze(table)
    return table
