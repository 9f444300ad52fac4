"""Groups against the job's privacy models.

A search knows k; what else a job asks of a group needs sensitive values and persons, which never leave the database. So the groups that it
found are mended there: a group that violates swaps a row with a group it meets, or takes one over, where both satisfy the models
afterwards; what no single row can mend merges with the neighbour that costs least. Then the search goes on with the models in it: groups
that became large are cut, and rows move, wherever both sides satisfy the models afterwards. Every step tries all its operations in one
statement.
"""

from __future__ import annotations

from kanon_sql.cluster.finish import FINAL_ROUNDS, cut_groups, final_pass, run_length
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.errors import NoSolution
from kanon_sql.frozen import dataclass
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statements.checks import FrequencySource
from kanon_sql.workbench import moves
from kanon_sql.workbench.coding import beyond, with_stored_rows
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.group_limits import groups_beyond, limit_keys
from kanon_sql.workbench.privacy_shape import BuiltPrivacy
from kanon_sql.workbench.workbench import Workbench

MOST_ROUNDS = 400
RUN_LENGTH = 512
PAIRED_ROUNDS = 6
"""Rounds in which only mergers are carried out that are best for both sides."""
MENDING_ROUNDS = 10
WHOLLY = 4
"""In so many rounds a group must satisfy the models after one row has changed; then it is enough that it comes nearer, and breaks no other."""
TRIED = 12
"""Operations of a kind that a violating group tries in a round."""
MOVED_ROWS = 800_000
"""Rows that all rounds of moves after the mending look at together, about: they run in the database, whatever engine it is."""


@dataclass(frozen=True)
class GroupVerdict:
    """The groups under the shape: the smallest that is kept, how many, and the rows in violating ones."""

    k: int
    groups: int
    violating_rows: int


def judged(answers: GroupAnswers, shape: ClassShape) -> tuple[GroupVerdict, FrequencySource]:
    """Count the groups as a check counts classes: same shape, same models."""
    bench = answers.bench
    assigned_units, units, counted = (
        statements.cluster.publishing.assigned_units,
        answers.coded.units,
        _counted(answers),
    )
    assigned = None if counted else answers.ends
    if assigned is None:
        assigned = answers.make(GroupTable.ASSIGNED_UNITS, assigned_units, units, answers.assignment, counted)
    source = _source(answers, assigned)
    found = bench.backend.fetch(statements.checks.frequency_sets(bench.dialect, source, [["g"]], shape))
    if not found:
        return GroupVerdict(0, 0, 0), source  # every row is suppressed
    return GroupVerdict(int(found[0].k), int(found[0].classes), int(found[0].suppressed)), source


def repair(answers: GroupAnswers, shape: ClassShape, settings: ClusterSettings) -> GroupVerdict:
    """Mend what violates, and let the search go on with the models in it. Fails closed."""
    verdict, _ = judged(answers, shape)
    if not verdict.violating_rows:
        return verdict
    answers.coded = with_stored_rows(answers.bench, answers.coded)
    if GroupTable.BLANKS in answers.tables:  # a row that has moved has lost its blanks
        return merge(answers, shape)
    mend(answers, shape, settings)
    merge(answers, shape)
    answers.models = GroupModels(answers, shape)
    try:
        answers.run(_searched_on(settings, rounds_after(answers, settings)))
    finally:
        answers.models = None
    return merge(answers, shape)


def check_whole(bench: Workbench, privacy: BuiltPrivacy) -> None:
    """Fails, before anything is searched, where the whole table violates a model: no groups satisfy it then."""
    shape = privacy.shape
    if not (privacy.monotone and shape.conditions):
        return
    keys = [bench.keys(bench.lattice.star)]
    found = bench.backend.fetch_one(
        statements.checks.frequency_sets(bench.dialect, bench.frequency_source, keys, shape)
    )
    if int(found.suppressed):
        raise _no_solution(bench)


def _no_solution(bench: Workbench) -> NoSolution:
    return NoSolution(
        f"{bench.job.search.algorithm}: the whole table as one group does not satisfy the privacy models",
        "ask for less of the privacy models",
    )


def within_limits(answers: GroupAnswers, shape: ClassShape, verdict: GroupVerdict) -> GroupVerdict:
    """Groups that had to be merged beyond a max_level are parted again; what then violates is suppressed, within the budget. Fails closed.

    A search cannot know of them: below a limit there may be k rows, but not k persons, or not the values that a model asks for.
    """
    if not groups_beyond(answers):
        return verdict
    bench, limits, before = answers.bench, statements.cluster.limits, _suppressed(answers)
    answers.measure()  # and the greatest number of a group
    boxes, rows, most = answers.tables[GroupTable.BOXES], answers.coded.rows, beyond(len(bench.attributes))
    answers.assign(limits.parted_groups, answers.assignment, rows, boxes, limit_keys(bench), most, answers.last_group)
    verdict, source = judged(answers, shape)
    if verdict.violating_rows:
        violating = answers.make(GroupTable.VIOLATING_GROUPS, statements.release.violating, source, ["g"], shape)
        answers.assign(limits.without_groups, answers.assignment, violating)
        verdict, _ = judged(answers, shape)
    suppressed = _suppressed(answers)
    if suppressed > bench.budget or not verdict.groups:
        raise NoSolution(
            f"the privacy models need groups beyond the columns' max_level, or {suppressed - before} rows suppressed beside "
            f"{before}, and {bench.budget} may be",
            "raise max_level, or privacy.suppression",
        )
    return verdict


def _suppressed(answers: GroupAnswers) -> int:
    """The rows without a group, as a job counts them."""
    bench = answers.bench
    if not bench.counts_persons:
        return int(answers.count(statements.cluster.absorbing.suppressed_rows, answers.assignment).rows)
    units = answers.make(
        GroupTable.ASSIGNED_UNITS,
        statements.cluster.publishing.assigned_units,
        answers.coded.units,
        answers.assignment,
        _counted(answers),
    )
    return bench.rows - int(answers.count(statements.checks.table_rows, units).rows)


def rounds_after(answers: GroupAnswers, settings: ClusterSettings) -> int:
    """Rounds of moves after the mending: none where the algorithm has none."""
    moving = settings.rounds if answers.bench.job.search.algorithm == "mondrian" else FINAL_ROUNDS
    return min(moving or 0, max(1, MOVED_ROWS // max(1, settings.rows)))


def _searched_on(settings: ClusterSettings, rounds: int) -> Driver:
    done = (yield from cut_groups(settings.k, settings.widest)).rounds
    done += yield from final_pass(settings, rounds, salt=800)
    return Grouping("models", done)


class GroupModels:
    """Tries operations and cuts: which of them leave all groups with the privacy models satisfied."""

    def __init__(self, answers: GroupAnswers, shape: ClassShape) -> None:
        self.answers = answers
        self.shape = shape

    def allowed_operations(self, operations: Relation, partly: bool = False) -> Relation:
        answers, mending = self.answers, statements.cluster.mending
        units, columns = answers.coded.units, _counted(answers)
        trial = answers.make(
            GroupTable.TRIAL_UNITS, mending.trial_units, operations, answers.assignment, units, columns
        )
        return answers.make(
            GroupTable.ALLOWED_OPERATIONS, mending.allowed_operations, operations, self._refused(trial), partly
        )

    def allowed_sides(self, sides: Relation, columns: list[str]) -> Relation:
        answers, mending = self.answers, statements.cluster.mending
        trial = answers.make(GroupTable.TRIAL_UNITS, mending.side_units, sides, answers.coded.units, _counted(answers))
        return answers.make(GroupTable.ALLOWED_SIDES, mending.allowed_sides, sides, self._refused(trial), columns)

    def _refused(self, trial: Relation) -> Relation:
        source = _source(self.answers, trial)
        return self.answers.make(GroupTable.REFUSED_GROUPS, statements.release.violating, source, ["g"], self.shape)


def mend(answers: GroupAnswers, shape: ClassShape, settings: ClusterSettings) -> None:
    """Rounds in which every violating group changes one row, where that mends it, or later brings it nearer, and breaks no other."""
    bench, coded, models = answers.bench, answers.coded, GroupModels(answers, shape)
    differing = [f"s{i}" for i in range(len(bench.sensitive))]
    limited = any(attribute.max_level < attribute.star for attribute in bench.attributes)
    partly = False
    for turn in range(MENDING_ROUNDS):
        partly = partly or turn >= WHOLLY
        verdict, source = judged(answers, shape)
        if not verdict.violating_rows or verdict.groups < 2:
            return
        answers.refresh_boxes()
        violating = answers.make(GroupTable.VIOLATING_GROUPS, statements.release.violating, source, ["g"], shape)
        operations = answers.make(
            GroupTable.OPERATIONS,
            statements.cluster.mending.mending_operations,
            answers.tables[GroupTable.ROW_CONTEXT],
            answers.sort_runs(2 * run_length(answers.k), settings.seed * 1000 + 850 + turn),
            answers.tables[GroupTable.BOXES],
            violating,
            coded.units,
            coded.boxes,
            differing=differing,
            repeated=bench.counts_persons,
            least=answers.k,
            most=TRIED,
            ceiling=beyond(len(bench.attributes)) if limited else None,
        )
        allowed = models.allowed_operations(operations, partly)
        done = moves.apply(answers, answers.chosen_moves(allowed)).done
        answers.drop_replaced()
        if not done and partly:
            return
        partly = partly or not done


def merge(answers: GroupAnswers, shape: ClassShape) -> GroupVerdict:
    """Merge what violates, until nothing does. Where one group is left and violates, there is no solution."""
    length = RUN_LENGTH
    for turn in range(MOST_ROUNDS):
        verdict, source = judged(answers, shape)
        if not verdict.violating_rows:
            return verdict
        if verdict.groups < 2:
            break
        violating = answers.make(GroupTable.VIOLATING_GROUPS, statements.release.violating, source, ["g"], shape)
        if not merge_round(answers, violating, length, turn) and turn != PAIRED_ROUNDS - 1:
            length *= 4
        answers.drop_replaced()
    raise _no_solution(answers.bench)


def merge_round(answers: GroupAnswers, violating: Relation, length: int, salt: int) -> int:
    """Each violating group proposes the cheapest merger with a group of its runs.

    In the first rounds those are carried out that are best for both sides. Then half of the groups, another half every round, join the
    group they propose if it does not leave itself: a good part of the violating groups is gone after each, however many they are.
    """
    merging, coded = statements.cluster.merging, answers.coded
    boxes = answers.make_boxes()
    runs = answers.sort_runs(length, 900 + salt)
    candidates = answers.make(
        GroupTable.OPERATIONS,
        merging.merge_candidates,
        answers.assignment,
        runs,
        boxes,
        violating,
        coded.boxes,
        coded.trees,
    )
    if salt < PAIRED_ROUNDS:
        chosen = answers.chosen_moves(candidates)
    else:
        chosen = answers.make(GroupTable.CHOSEN_MOVES, merging.star_mergers, candidates, violating, salt)
    answers.assign(merging.merged_assignment, answers.assignment, chosen)
    return int(answers.count(statements.checks.table_rows, chosen).rows)


def _counted(answers: GroupAnswers) -> list[str]:
    """What privacy models count in a group."""
    bench = answers.bench
    return [f"s{i}" for i in range(len(bench.sensitive))] + (["person"] if bench.counts_persons else [])


def _source(answers: GroupAnswers, units: Relation) -> FrequencySource:
    whole = answers.bench.frequency_source
    return FrequencySource(units, whole.sensitive_tables, whole.rows)
