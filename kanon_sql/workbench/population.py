"""The population a source is a part of: found, checked against the quasi-identifiers, and coded by the source's dictionaries."""

from __future__ import annotations

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.errors import ColumnError, JobError
from kanon_sql.frozen import dataclass
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.reading import Values, as_published, check_person
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class Population:
    """The population's rows, and its column that names a person; without one each row is a person."""

    relation: Relation
    person: str | None
    columns: list[ColumnInfo]
    table: Relation
    values: Values
    """The population as the database has it, and what stands for its columns in `relation`."""


def find_population(bench: Workbench) -> Population:
    """The population's table, or a view over its file; every quasi-identifier must be a column of it, of the same kind."""
    section = bench.job.privacy.population
    if section is None:
        raise JobError("the job names no population", "add `privacy.population: {table: ...}`")
    if section.table is not None:
        relation, where = bench.backend.relation(section.table), section.table
    else:
        assert section.file is not None
        relation, where = _file(bench, section.file), section.file
    described = bench.backend.describe(relation)
    if not described:
        raise ColumnError(f"privacy.population: there is no table or view {where}", "write schema.table")
    names = [column.name for column in described]
    if section.person is not None and section.person not in names:
        raise ColumnError(f"privacy.population.person: {where} has no column {section.person}", "name one that it has")
    person = section.person or (bench.job.source.person if bench.job.source.person in names else None)
    for column in described:
        if column.name == person:
            check_person(column, "privacy.population.person")
    compared = {attribute.name for attribute in bench.attributes} | ({person} if person is not None else set())
    table = relation
    relation, columns, values = as_published(bench, table, described, compared, bench.names.population_published)
    kinds = {column.name: column.kind for column in columns}
    for attribute in bench.attributes:
        if attribute.name not in kinds:
            raise ColumnError(f"privacy.population: {where} has no column {attribute.name}", "a view can name it so")
        if kinds[attribute.name] != attribute.kind:
            raise ColumnError(
                f"privacy.population: {where}.{attribute.name} is {kinds[attribute.name]}, in the source it is {attribute.kind}",
                "cast it in a view",
            )
    return Population(relation, person, columns, table, values)


def _file(bench: Workbench, file: str) -> Relation:
    section = bench.job.privacy.population
    assert section is not None
    view = bench.names.population_source
    if ("view", view) not in bench.made:
        selectable = bench.selectable_file(file, section.options, "privacy.population.file")
        bench.make_view(view, statements.levels.source_view(bench.dialect, view, selectable))
    return view


def build_population(bench: Workbench) -> tuple[Relation, bool]:
    """The coded population, which checks join classes with, and whether its persons are counted, not its rows."""
    table = bench.names.population
    population = find_population(bench)
    by_person = population.person is not None
    if ("table", table) in bench.made:
        return table, by_person
    raw = bench.names.population_raw
    columns = [(f"v{i}", attribute.name) for i, attribute in enumerate(bench.attributes)]
    if population.person is not None:
        columns.append(("person", population.person))
    bench.make_table(raw, statements.levels.raw(bench.dialect, raw, population.relation, columns))
    for index, attribute in enumerate(bench.attributes):
        statement = statements.levels.population_dictionary(bench.dialect, bench.names, index, attribute)
        bench.make_table(bench.names.population_dictionary(index), statement)
    bench.make_table(table, statements.levels.population_base(bench.dialect, bench.names, bench.attributes, by_person))
    bench.backend.analyze(table)
    return table, by_person
