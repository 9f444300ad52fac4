"""Releasing again: is the source the one of the last release, is the job, and which recoding did it have?"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.config.privacy_models import models_beyond_k
from kanon_sql.config.schema import Job
from kanon_sql.errors import RegisterError
from kanon_sql.frozen import dataclass
from kanon_sql.model.forms import Form
from kanon_sql.model.lattice import Node
from kanon_sql.release.entries import ReleaseEntry, RunEntry
from kanon_sql.release.register import Register
from kanon_sql.results import PlanResult
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import CountedRelation, Relation
from kanon_sql.workbench.population import find_population
from kanon_sql.workbench.workbench import Workbench, published_columns


@dataclass(frozen=True)
class PreviousRelease:
    """The release readers see, and the run that made it."""

    release: ReleaseEntry
    run: RunEntry

    def figure(self, key: str) -> Any:
        return (self.run.figures or {}).get(key)

    def node_for(self, bench: Workbench, recipe: str) -> Node | None:
        """Its node, if the job still means the same by it."""
        levels = self.run.node
        if self.figure("recipe") != recipe or levels is None or set(levels) != {a.name for a in bench.attributes}:
            return None
        node = tuple(int(levels[attribute.name]) for attribute in bench.attributes)
        return node if node in bench.lattice else None

    def quasi_columns(self, job: Job) -> list[str]:
        """The columns that make a class, as it published them: intervals may have two."""
        return list((self.figure("verified") or {}).get("columns") or job.columns_with("quasi"))

    def searched_loss(self) -> float | None:
        """What a published row lost (NCP) when the groups that are kept since were searched for."""
        night = (self.figure("figures") or {}).get("night")
        if night is not None:
            return None if night.get("searched_loss") is None else float(night["searched_loss"])
        rows, suppressed, ncp = (
            self.figure("rows"),
            self.figure("suppressed"),
            (self.figure("utility") or {}).get("ncp"),
        )
        if ncp is None or rows is None or rows == suppressed:
            return None
        return float((ncp * rows - suppressed) / (rows - suppressed))

    def plan(self) -> PlanResult:
        """The plan of that run, as it was registered."""
        known = {one.name for one in dataclasses.fields(PlanResult)}
        try:
            return PlanResult(**{key: value for key, value in (self.run.figures or {}).items() if key in known})
        except TypeError as error:
            raise RegisterError(
                f"the register's row of run {self.run.id} is broken: its figures tell of no plan", "restore that row"
            ) from error


def previous_release(register: Register, job: str) -> PreviousRelease | None:
    release = register.current_release(job)
    return None if release is None else PreviousRelease(release, register.show(release.run))


def recipe_of(bench: Workbench) -> str:
    """A digest of everything in the job that decides on a release but the data: thresholds, columns, hierarchies, utility, search."""
    job = bench.job
    parts = {
        "privacy": job.privacy.model_dump(mode="json", exclude={"churn", "nights"}),
        "columns": job.columns_with("quasi") and {n: c.model_dump(mode="json") for n, c in job.columns.items()},
        "utility": job.utility.model_dump(mode="json"),
        "search": job.search.model_dump(mode="json", exclude={"reuse", "time_limit", "embedded", "embedded_limit"}),
        "source": [
            bench.backend.identity(bench.backend.relation(job.source.table)) if job.source.table is not None else None,
            job.source.file,
            job.source.person,
        ],
        "intervals": job.publish.intervals if job.publish is not None else None,
        "levels": repr(bench.attributes),  # the contents of hierarchy files among them
        "distances": {model.column: model.hierarchy for model in models_beyond_k(job) if model.hierarchy},
        "types": [(column.name, column.type_name) for column in bench.described],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def groups_recipe(bench: Workbench) -> str:
    """A digest of what the labels of kept groups mean: source, person, quasi-identifiers with their levels and types, intervals."""
    job = bench.job
    quasi = {name: job.columns[name] for name in job.columns_with("quasi")}
    identity = (
        bench.backend.identity(bench.backend.relation(job.source.table)) if job.source.table is not None else None
    )
    parts = {
        "columns": {
            name: column.model_dump(mode="json", exclude={"weight", "rules", "rv"}) for name, column in quasi.items()
        },
        "source": [identity, job.source.file, job.source.person],
        "intervals": job.publish.intervals if job.publish is not None else None,
        "levels": repr([(attribute.name, attribute.levels, attribute.lookup) for attribute in bench.attributes]),
        "types": [(column.name, column.type_name) for column in bench.described if column.name in quasi],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def recoding_digest(recipe: str, plan: PlanResult, run: str, kept: bool = False) -> str:
    """Which recoding it is: the recipe's levels and the node; the groups of a local recoding are those of its run alone, unless kept."""
    which = [recipe, plan.node] if plan.node is not None else [recipe, "kept groups" if kept else run]
    return hashlib.sha256(json.dumps(which, sort_keys=True).encode()).hexdigest()[:32]


def fingerprint_of(bench: Workbench) -> str:
    """The source's rows and the sum of their digests, in one scan, and the population's; engines and their versions digest differently."""
    columns = published_columns(bench.job, bench.columns)
    person = bench.job.source.person
    if person is not None and person not in columns:
        columns.append(person)
    found = [bench.backend.version(), table_digest(bench, bench.source, columns, bench.columns)]
    if bench.job.privacy.population is not None:
        population = find_population(bench)
        named = [attribute.name for attribute in bench.attributes]
        if population.person is not None and population.person not in named:
            named.append(population.person)
        found.append(table_digest(bench, population.relation, named, population.columns))
    return " ".join(found)


def table_digest(bench: Workbench, table: Relation, names: Sequence[str], columns: Sequence[ColumnInfo]) -> str:
    """The rows of a table and the sum of their digests over some of its columns, as a reader reads them."""
    forms = {column.name: column.form for column in columns}
    values = [bench.dialect.read(bench.dialect.identifier(name), forms[name]) for name in names]
    row = bench.backend.fetch_one(statements.release.fingerprint(bench.dialect, table, values))
    return f"{int(row.rows)} {int(row.digest)}"


def release_digest(bench: Workbench, table: Relation, counts: CountedRelation | None = None) -> str:
    """The digest of a release as it stands. `counts`: its rows counted by some columns; where these are all, and equal values print the
    same, they are read instead."""
    columns = bench.backend.describe(table)
    names = [column.name for column in columns]
    if counts is not None and all(column.form is Form.SAME for column in columns):
        counted = {column.name for column in bench.backend.describe(counts)}
        table = counts if counted.issuperset(names) else table
    return table_digest(bench, table, names, columns)
