"""Groups below the columns' `max_level`.

Rows may share a group only where they are alike at these levels. Those that fewer than k rows are like are in no group whatever the
algorithm: they take no part and are suppressed, within the budget. A group across such a border costs more than all cells together, so
that searches keep off it; what still lies across one in the end is parted into its classes, which have k rows each, and cut again.
"""

from __future__ import annotations

from dataclasses import replace

from kanon_sql.cluster.finish import final_pass
from kanon_sql.cluster.questions import CloseGroups, CutOpen, Driver, Grouping, OpenGroups
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.errors import NoSolution
from kanon_sql.sql import statements
from kanon_sql.sql.relations import GroupTable
from kanon_sql.workbench.coding import beyond
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.workbench import Workbench

LAST_MOVES = 4
MOST_CUTS = 200


def limited(bench: Workbench) -> list[int]:
    """The attributes with a max_level below `*`."""
    return [i for i, attribute in enumerate(bench.attributes) if attribute.max_level < attribute.star]


def limit_keys(bench: Workbench) -> list[str]:
    """What rows of a group must have in common."""
    return [
        f"a{i}"
        if bench.attributes[i].max_level == bench.attributes[i].min_level
        else f"t{i}_{bench.attributes[i].max_level}"
        for i in limited(bench)
    ]


class GroupLimits:
    """Keeps one search below the limits; for its time the search sees only rows that can be grouped."""

    def __init__(self, answers: GroupAnswers) -> None:
        self.answers = answers
        self.whole = answers.coded
        bench = answers.bench
        self.names = [bench.attributes[i].name for i in limited(bench)]
        self.keys = limit_keys(bench)

    def withhold(self) -> None:
        """Leave out the rows that cannot be grouped. Fails where they are more than may be suppressed."""
        if not self.keys:
            return
        answers, whole = self.answers, self.whole
        groupable = statements.cluster.limits.groupable_rows
        rows = answers.make(GroupTable.GROUPABLE_ROWS, groupable, whole.rows, self.keys, answers.k)
        count = int(answers.count(statements.checks.table_rows, rows).rows)
        out = whole.count - count
        if out > whole.budget or not count:
            raise NoSolution(
                f"{out} of {whole.count} rows have fewer than {answers.k} like them at the max_level of {', '.join(self.names)}, "
                f"and {whole.budget} may be suppressed",
                "raise max_level, or privacy.suppression",
            )
        answers.coded = replace(whole, rows=rows, count=count, budget=whole.budget - out)

    def settle(self, settings: ClusterSettings) -> None:
        """Part what lies across a limit, and add the rows that were left out, suppressed."""
        if not self.keys:
            return
        answers, limits = self.answers, statements.cluster.limits
        most = beyond(len(answers.bench.attributes))
        if groups_beyond(answers):
            answers.measure()
            boxes, rows = answers.tables[GroupTable.BOXES], answers.coded.rows
            answers.assign(
                limits.separated_groups, answers.assignment, rows, boxes, self.keys, most, answers.last_group
            )
            answers.run(_cut_again(settings))
        answers.assign(limits.with_withheld_rows, answers.assignment, self.whole.rows)
        answers.coded = self.whole


def groups_beyond(answers: GroupAnswers) -> int:
    """How many groups go beyond a max_level."""
    if not limited(answers.bench):
        return 0
    answers.make_boxes()
    answers.boxes_are_current = False
    statement = statements.cluster.limits.groups_beyond
    return int(answers.count(statement, answers.tables[GroupTable.BOXES], beyond(len(answers.bench.attributes))).groups)


def _cut_again(settings: ClusterSettings) -> Driver:
    """Large groups are cut into groups of k rows and more; nothing is joined."""
    stop = 2 * settings.k - 1
    done = 0
    if (yield OpenGroups(stop)).open:
        while done < MOST_CUTS:
            done += 1
            if not (yield CutOpen(stop, settings.k)).open:
                break
        yield CloseGroups()
    done += yield from final_pass(settings, LAST_MOVES, salt=900)
    return Grouping("limits", done)
