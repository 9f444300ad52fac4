"""Guards: what no privacy model of the job speaks of, looked for in the staged release before it is published.

Each guard gives one finding and one line in the report. A finding that breaks the promise of k itself blocks the run; the others
warn, or block with `privacy.guards: block`. `privacy.accept: [name]` accepts a finding knowingly: it stays in the report.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.errors import PrivacyGateFailed
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.workbench.workbench import Workbench

NEARLY_UNIQUE = 0.5
"""A published column is nearly unique when at least this share of the rows has a value that fewer than k rows hold."""


@dataclass(frozen=True)
class GuardFinding:
    """`status` is passed, accepted, warning or blocked; `count` the rows (or classes, persons) the message speaks of."""

    name: str
    status: str
    message: str
    count: int = 0

    def to_dict(self) -> dict[str, object]:
        return {"guard": self.name, "status": self.status, "message": self.message, "count": self.count}


@dataclass(frozen=True)
class Staged:
    """What the guards look at: the staged table, its columns by role, and how it came about.

    `counts`: the table by all columns but those that are only kept.
    """

    table: Relation
    counts: Relation
    quasi: Sequence[str]
    keep: Sequence[str]
    sensitive: Sequence[str]
    node: Node | None
    suppressed: int
    smallest: int
    kept: bool = False

    @property
    def with_kept(self) -> Relation:
        """What holds every published column: the counts, unless there are columns that are only kept."""
        return self.table if self.keep else self.counts


def run_guards(
    bench: Workbench,
    table: Relation,
    quasi: Sequence[str],
    node: Node | None,
    suppressed: int,
    counts: Relation,
    *,
    kept: bool = False,
) -> list[GuardFinding]:
    """Every guard's finding on a staged release; `node` is None for local recoding; `kept`: its groups are those of earlier nights."""
    have = [column.name for column in bench.backend.describe(table)]
    beside = [name for name in have if name not in quasi]
    min_class = int(bench.backend.fetch_one(statements.release.verify(bench.dialect, counts, quasi))[0])
    staged = Staged(
        table=table,
        counts=counts,
        quasi=quasi,
        keep=[name for name in beside if name in bench.job.columns and bench.job.columns[name].role == "keep"],
        sensitive=[
            name for name in beside if name in bench.job.columns and bench.job.columns[name].role == "sensitive"
        ],
        node=node,
        suppressed=suppressed,
        smallest=min_class,
        kept=kept,
    )
    guards = (_rows_per_person, _nearly_unique, _combinations, _homogeneous, _recoverable, _margin)
    return [_settled(bench, guard(bench, staged)) for guard in guards]


def stop_if_blocked(findings: Sequence[GuardFinding]) -> None:
    """Raise PrivacyGateFailed where a guard blocks the release."""
    blocked = [finding for finding in findings if finding.status == "blocked"]
    if blocked:
        names = ", ".join(finding.name for finding in blocked)
        raise PrivacyGateFailed(
            f"guard {blocked[0].name}: {blocked[0].message}"
            + (f" (and {len(blocked) - 1} more guards)" if len(blocked) > 1 else ""),
            f"mend it, or accept it knowingly with `privacy.accept: [{names}]`",
        )


def _settled(bench: Workbench, finding: GuardFinding) -> GuardFinding:
    privacy = bench.job.privacy
    if finding.status == "passed":
        return finding
    if finding.name in privacy.accept:
        return GuardFinding(finding.name, "accepted", finding.message, finding.count)
    if privacy.guards == "block":
        return GuardFinding(finding.name, "blocked", finding.message, finding.count)
    return finding


def _rows_per_person(bench: Workbench, staged: Staged) -> GuardFinding:
    name = "rows_per_person"
    person = bench.job.source.person
    if person is not None:
        how = "counts distinct persons" if bench.counts_persons else "counts rows, and every person has one"
        return GuardFinding(name, "passed", f"the job names the person key {person}: a class's size {how}")
    identifiers = bench.job.columns_with("identifier")
    if not identifiers:
        return GuardFinding(
            name, "passed", "the job names no identifier and no person key: each row is taken for a person"
        )
    if _each_its_own(bench, identifiers[0]):
        unique, rows = identifiers[:1], []
    else:
        rows = bench.backend.fetch(statements.release.guard_identifiers(bench.dialect, bench.source, identifiers))
        unique = [identifiers[int(place)] for place, filled, persons in rows if filled == persons == bench.rows]
    if unique:
        return GuardFinding(name, "passed", f"every row has its own {unique[0]}: each row is a person")
    repeated = [
        (identifiers[int(place)], int(filled), int(persons)) for place, filled, persons in rows if filled > persons
    ]
    if not repeated:
        return GuardFinding(
            name, "passed", f"no value of {', '.join(identifiers)} stands in two rows: each row is a person"
        )
    column, filled, persons = repeated[0]
    message = (
        f"{column} has {persons:,} values in {filled:,} rows: if it names a person, a class of k rows may hold fewer than k persons; "
        f"set source.person: {column}"
    )
    return GuardFinding(name, "blocked", message, filled - persons)


def _each_its_own(bench: Workbench, identifier: str) -> bool:
    """Whether numbers that lie close together are different in every row: that is quickly counted. False where it is not known."""
    lowest = bench.lowest_close_key(bench.source, identifier)
    if lowest is None:
        return False
    found = bench.backend.fetch_one(statements.release.verify_one_row(bench.dialect, bench.source, identifier, lowest))
    return int(found.rows) == int(found.persons) == bench.rows


def _nearly_unique(bench: Workbench, staged: Staged) -> GuardFinding:
    name = "nearly_unique_columns"
    columns = [*staged.keep, *staged.sensitive]
    if not columns:
        return GuardFinding(name, "passed", "no column is published beside the quasi-identifiers")
    k = bench.job.privacy.k
    found = bench.backend.fetch(
        statements.release.guard_rare_values(bench.dialect, staged.with_kept, [[column] for column in columns], k)
    )
    rare = {columns[int(place)]: (int(below), int(rows)) for place, below, _, _, rows in found}
    near = {column: below for column, (below, rows) in rare.items() if rows and below / rows >= NEARLY_UNIQUE}
    if near:
        worst = max(near, key=lambda column: near[column])
        message = (
            f"{', '.join(near)}: published as stored, though {counted(near[worst], 'row has', 'rows have')} a value of {worst} "
            f"that fewer than {k} rows hold; someone who knows it finds the row: declare it quasi, or drop it"
        )
        return GuardFinding(name, "blocked", message, near[worst])
    some = {column: below for column, (below, _) in rare.items() if below}
    if some:
        worst = max(some, key=lambda column: some[column])
        message = f"{counted(some[worst], 'row has', 'rows have')} a value of {worst} that fewer than {k} rows hold: top-code it or declare it quasi"
        return GuardFinding(name, "warning", message, some[worst])
    return GuardFinding(name, "passed", f"every value of {', '.join(columns)} is held by {k} rows or more")


def _combinations(bench: Workbench, staged: Staged) -> GuardFinding:
    name = "published_combinations"
    k = bench.job.privacy.k
    sets = [[*staged.quasi, *staged.keep], [*staged.quasi, *staged.keep, *staged.sensitive]]
    found = sorted(bench.backend.fetch(statements.release.guard_rare_values(bench.dialect, staged.with_kept, sets, k)))
    (_, kept, unique, _, _), (_, everything, all_unique, _, _) = (tuple(int(value) for value in row) for row in found)
    if staged.keep and kept:
        message = (
            f"{counted(kept, 'row')} ({unique:,} of them unique) {'shares its' if kept == 1 else 'share their'} "
            f"quasi-identifiers together with {', '.join(staged.keep)} with fewer than {k} rows: k does not bind someone who knows "
            "those columns too; declare them quasi if anybody can"
        )
        return GuardFinding(name, "warning", message, kept)
    beyond = (
        f"; with the sensitive columns {counted(everything, 'row does', 'rows do')} ({all_unique:,} unique), which binds whoever knows those already"
        if staged.sensitive
        else ""
    )
    return GuardFinding(
        name, "passed", f"no combination of quasi-identifiers and kept columns stands in fewer than {k} rows{beyond}"
    )


def _homogeneous(bench: Workbench, staged: Staged) -> GuardFinding:
    name = "homogeneous_classes"
    if not staged.sensitive:
        return GuardFinding(name, "passed", "no sensitive column is published")
    found = bench.backend.fetch(
        statements.release.guard_homogeneous(bench.dialect, staged.counts, staged.quasi, staged.sensitive)
    )
    rows = {staged.sensitive[int(place)]: (int(classes), int(rows)) for place, classes, rows in found if classes}
    if not rows:
        return GuardFinding(name, "passed", f"no class reveals the value of {', '.join(staged.sensitive)} outright")
    worst = max(rows, key=lambda column: rows[column][1])
    message = (
        f"in {counted(rows[worst][0], 'class', 'classes')} all rows share one value of {worst}: it is revealed for "
        f"{counted(rows[worst][1], 'row')}; "
        f"add privacy.l_diversity: {{{worst}: {{kind: distinct, l: 2}}}} or t_closeness"
    )
    return GuardFinding(name, "warning", message, rows[worst][1])


def _recoverable(bench: Workbench, staged: Staged) -> GuardFinding:
    name = "recoverable_suppression"
    k = bench.job.privacy.k
    if staged.suppressed == 0:
        return GuardFinding(name, "passed", "no row is suppressed")
    if staged.suppressed < k:
        message = (
            f"{counted(staged.suppressed, 'row is', 'rows are')} suppressed, fewer than {k}: whoever has totals of the source finds "
            "their values as what is missing; publish no totals of the source, or set suppression: 0"
        )
        return GuardFinding(name, "warning", message, staged.suppressed)
    if staged.node is None:
        return GuardFinding(name, "passed", f"{staged.suppressed:,} rows are suppressed, {k} or more together")
    source = generalized(bench.dialect, bench.source, bench.attributes, staged.node)
    found = bench.backend.fetch(statements.release.guard_totals(bench.dialect, staged.counts, staged.quasi, source, k))
    labels = {staged.quasi[int(place)]: (int(count), int(rows)) for place, count, rows in found if count}
    if labels:
        worst = max(labels, key=lambda column: labels[column][1])
        message = (
            f"of the suppressed rows, {labels[worst][1]:,} would show as differences below {k} if the source's totals by {worst} were "
            f"published ({', '.join(labels)} altogether): publish no such totals beside this release"
        )
        return GuardFinding(name, "warning", message, labels[worst][1])
    return GuardFinding(
        name,
        "passed",
        f"totals of single quasi-identifiers leave {k} rows or more, or none, to the {staged.suppressed:,} suppressed",
    )


def _margin(bench: Workbench, staged: Staged) -> GuardFinding:
    privacy = bench.job.privacy
    if bench.counts_persons or privacy.k == 1:
        return GuardFinding("margin", "passed", f"the search asked for k + margin = {privacy.search_k}")
    if staged.kept:
        message = f"the smallest class has {staged.smallest} rows; groups begin with k + margin = {privacy.search_k}, and are kept down to k"
        return GuardFinding("margin", "passed", message, staged.smallest)
    if staged.smallest < privacy.search_k:
        message = (
            f"the smallest class has {counted(staged.smallest, 'row')}, fewer than k + margin = {privacy.search_k}"
        )
        return GuardFinding("margin", "blocked", message, staged.smallest)
    if privacy.search_k == privacy.k:
        message = (
            f"the smallest class has {counted(staged.smallest, 'row')}; no margin was asked for beyond k = {privacy.k}"
        )
        return GuardFinding("margin", "passed", message, staged.smallest)
    return GuardFinding(
        "margin",
        "passed",
        f"the smallest class has {counted(staged.smallest, 'row')}, k + margin = {privacy.search_k} or more",
        staged.smallest,
    )
