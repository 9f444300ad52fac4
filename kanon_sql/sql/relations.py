"""Every name of a table, view or column that kanon_sql makes is made here."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum

from kanon_sql.frozen import dataclass
from kanon_sql.sql.dialect import Relation

WORK_PREFIX = "r"
"""Work tables are named r<run>_<what>, so that a janitor can tell whose they are."""
STAGED = "staged"
"""The work table that becomes a release: r<run>_staged."""
KEPT_RUNS = "kept_runs"
"""In the work schema: the runs that have work tables there, so that a janitor drops nothing that only looks like one."""
KEPT_PREFIX = "kept_"
"""Tables that outlive a run on purpose: kept_<job>_<what it counts>."""


def shortened(name: str, max_bytes: int, suffix: str = "") -> str:
    """`name + suffix` within the engine's limit; a name that must be cut gets a digest, so two long names never collide."""
    whole = name + suffix
    if len(whole.encode()) <= max_bytes:
        return whole
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    room = max_bytes - len(suffix.encode()) - len(digest) - 1
    return f"{name.encode()[:room].decode(errors='ignore')}~{digest}{suffix}"


class GroupTable(StrEnum):
    """The work tables of a local recoding that a round replaces (`workbench/group_answers.py`)."""

    ASSIGNMENT = "assignment"
    """rid, g: the group of every row; NULL where the row is suppressed."""
    KEPT_ASSIGNMENT = "kept_assignment"
    """An assignment set aside."""
    GROUPABLE_ROWS = "groupable_rows"
    """The rows that can be grouped below the columns' max_level."""
    OPEN_ROWS = "open_rows"
    """Rows of groups that are still cut or halved."""
    FINISHED_ROWS = "finished_rows"
    """rid, g of the groups that are finished."""
    CUTS = "cuts"
    """One row per open group: the attribute and value it is cut at."""
    SIDES = "sides"
    """Open rows with the side of the cut that they are on."""
    ALLOWED_SIDES = "allowed_sides"
    SIDE_SIZES = "side_sizes"
    LEFT_SEEDS = "left_seeds"
    RIGHT_SEEDS = "right_seeds"
    UNASSIGNED_ROWS = "unassigned_rows"
    """Rows that no class of a node has taken yet."""
    NEW_CLASSES = "new_classes"
    """rid, g of the classes found at the last nodes."""
    BOXES = "boxes"
    """One row per group: n, loss, and the box columns."""
    ROW_CONTEXT = "row_context"
    """Every row beside its group: the group's size and loss, its box and loss without the row."""
    NEW_BOXES = "new_boxes"
    NEW_ROW_CONTEXT = "new_row_context"
    COMBINATIONS = "combinations"
    """One row for all rows that are alike: the first rid, their number w, and what cuts and runs read of them."""
    RUNS = "runs"
    """rid, block: rows that are alike, in runs."""
    CANDIDATES = "candidates"
    OPERATIONS = "operations"
    """Moves, swaps or mergers, ranked."""
    ALLOWED_OPERATIONS = "allowed_operations"
    """Those of the operations that leave both groups with the privacy models satisfied."""
    TRIAL_UNITS = "trial_units"
    """The rows with the groups they would be in, shaped as a base frequency set."""
    REFUSED_GROUPS = "refused_groups"
    """Those of such groups that violate a privacy model."""
    CHOSEN_MOVES = "chosen_moves"
    """Those of the operations that are carried out together."""
    TOUCHED_GROUPS = "touched_groups"
    MOVED_ROWS = "moved_rows"
    COSTLIEST_GROUPS = "costliest_groups"
    VIOLATING_GROUPS = "violating_groups"
    ASSIGNED_UNITS = "assigned_units"
    """The rows with their group, shaped as a base frequency set."""
    FREE_ROWS = "free_rows"
    """Rows of the blocks that belong to no group yet."""
    GROWN = "grown"
    """The groups as they grow: one row for each row that joined."""
    SEED_DISTANCES = "seed_distances"
    CLUSTERS = "clusters"
    MERGERS = "mergers"
    GROUP_ENDS = "group_ends"
    """What tells the labels of a group, as codes, and its rows."""
    GROUP_VALUES = "group_values"
    """attribute, g, code: the values of attributes whose sets have no bits."""
    BLANKS = "blanks"
    """rid, g, and the attributes that are blanked in the row, as bits."""


@dataclass(frozen=True)
class WorkNames:
    """The work tables of one run, in a schema of their own."""

    schema: str
    run: str
    max_bytes: int = 63
    taken: frozenset[str] = frozenset()
    """The source's columns in lower case: the level view has them, too."""

    def work(self, what: str) -> Relation:
        return Relation((self.schema, f"{WORK_PREFIX}{self.run}_{what}"))

    @property
    def source(self) -> Relation:
        """A view over a file source, so that everything else reads a relation."""
        return self.work("source")

    @property
    def published_source(self) -> Relation:
        """A view of the source with one value for all that are equal."""
        return self.work("published_source")

    @property
    def population_published(self) -> Relation:
        """The same of the population."""
        return self.work("population_published")

    @property
    def staged_counts(self) -> Relation:
        """The staged release by its classes and sensitive values."""
        return self.work("staged_counts")

    def as_read(self, what: str) -> Relation:
        """A view of a relation as a reader reads it."""
        return self.work(f"read_{what}")

    @property
    def raw(self) -> Relation:
        """The base frequency set with the values as stored."""
        return self.work("raw")

    @property
    def base(self) -> Relation:
        """The base frequency set, dictionary-coded: every level of every quasi-identifier as a small integer."""
        return self.work("base")

    @property
    def levels(self) -> Relation:
        """The level view: every level of every quasi-identifier beside the source's columns."""
        return self.work("levels")

    def dictionary(self, attribute: int) -> Relation:
        return self.work(f"dictionary_{attribute}")

    @property
    def dictionaries(self) -> Relation:
        """All dictionaries in one table, where an engine starts jobs for every table; `dictionary` are views of it."""
        return self.work("dictionaries")

    def sensitive(self, attribute: int) -> Relation:
        return self.work(f"sensitive_{attribute}")

    def lookup(self, attribute: int) -> Relation:
        return self.work(f"lookup_{attribute}")

    def code_table(self, attribute: int) -> Relation:
        """The codes of an attribute's values in a local recoding (`sql/boxes.py`); rules come after the attributes."""
        return self.work(f"code_{attribute}")

    def tree(self, attribute: int) -> Relation:
        """The leaves of an attribute's levels, with their ancestors."""
        return self.work(f"tree_{attribute}")

    @property
    def units(self) -> Relation:
        """The rows of the base frequency set one by one: rid, codes, sensitive codes, person."""
        return self.work("units")

    @property
    def rows(self) -> Relation:
        """The rows with the columns that boxes are made of: rid, a<i>, c<i>, f<i>_<j>, t<i>_<j>, m<w>."""
        return self.work("rows")

    @property
    def stored_rows(self) -> Relation:
        """The same as a table, where `rows` is a view."""
        return self.work("stored_rows")

    @property
    def labels(self) -> Relation:
        """What each group of a local recoding publishes."""
        return self.work("labels")

    @property
    def blanked_labels(self) -> Relation:
        """The labels with the blanks that a search made."""
        return self.work("blanked_labels")

    @property
    def groups(self) -> Relation:
        """A view of every row as its group publishes it."""
        return self.work("groups")

    def group_table(self, table: GroupTable, version: int, search: str = "") -> Relation:
        """One of the two names that a table of a local recoding has by turns; `search` tells apart two searches of one run."""
        return self.work(f"{search}{table}_{version}")

    def night(self, what: str) -> Relation:
        """A table of a night on which groups are kept (`workbench/kept_groups.py`)."""
        return self.work(f"night_{what}")

    @property
    def coded(self) -> Relation:
        """The level view with codes, which a release reads."""
        return self.work("coded")

    @property
    def violating(self) -> Relation:
        """The classes of the chosen node that are suppressed."""
        return self.work("violating")

    @property
    def staged_persons(self) -> Relation:
        """The rows of a staged release with the persons behind them: what verification and ledger count persons by."""
        return self.work("staged_persons")

    @property
    def staged(self) -> Relation:
        """The release before it is verified, where the engine builds it apart from its place."""
        return self.work(STAGED)

    def ledger(self, what: str) -> Relation:
        """A work table of the comparison with earlier releases: classes, present, batches, outcomes, and so on."""
        return self.work(f"ledger_{what}")

    @property
    def released(self) -> Relation:
        """The source (or the account of a local recoding) without the rows that are withheld."""
        return self.work("released")

    def roll_up(self, number: int) -> Relation:
        """The base rolled up to a node, for the checks above it."""
        return self.work(f"base_{number}")

    @property
    def small_classes(self) -> Relation:
        """The rows of measured nodes that are in small classes."""
        return self.work("small_classes")

    def cells(self, metric: str, attribute: int) -> Relation:
        """The loss of each value of an attribute at each level."""
        return self.work(f"{metric}_{attribute}")

    def published(self, what: str) -> Relation:
        """The frequency set of a release that is scored or compared."""
        return self.work(f"{what}_published")

    def cover(self, what: str, attribute: int) -> Relation:
        """The values of the source under each label of a release."""
        return self.work(f"{what}_cover_{attribute}")

    def workload_parts(self, attribute: int) -> Relation:
        """The conditions of the workload's queries on an attribute."""
        return self.work(f"workload_parts_{attribute}")

    def workload_picked(self, attribute: int) -> Relation:
        """The values that each of those conditions picks."""
        return self.work(f"workload_picked_{attribute}")

    def shares(self, what: str, attribute: int) -> Relation:
        """Which share of each label of a release a condition picks."""
        return self.work(f"{what}_shares_{attribute}")

    @property
    def trial_release(self) -> Relation:
        """What a recoding would release, for comparisons."""
        return self.work("compared")

    @property
    def exported_dictionaries(self) -> Relation:
        """All dictionaries as they arrive on the embedded engine: codes, counts and numbers."""
        return self.work("dictionaries")

    @property
    def exported_counts(self) -> Relation:
        """The base frequency set as it arrives on the embedded engine: level-0 codes and counts."""
        return self.work("counts")

    @property
    def population(self) -> Relation:
        """The population's frequency set, coded as the base is."""
        return self.work("population")

    @property
    def population_source(self) -> Relation:
        return self.work("population_source")

    @property
    def population_raw(self) -> Relation:
        return self.work("population_raw")

    def population_dictionary(self, attribute: int) -> Relation:
        return self.work(f"population_{attribute}")

    def sensitive_lookup(self, attribute: int) -> Relation:
        return self.work(f"sensitive_lookup_{attribute}")

    def sensitive_hierarchy(self, attribute: int) -> Relation:
        return self.work(f"sensitive_hierarchy_{attribute}")

    def level_column(self, name: str, level: int) -> str:
        suffix = f"__{level}"
        while shortened(name, self.max_bytes, suffix).lower() in self.taken:
            suffix += "_"
        return shortened(name, self.max_bytes, suffix)


def code_column(attribute: int, level: int) -> str:
    """A level's code in the base and the dictionaries: q<attribute>_<level>."""
    return f"q{attribute}_{level}"


def label_column(level: int) -> str:
    """A level's label in a dictionary."""
    return f"label_{level}"


def kept_groups_table(schema: str, job: str, recipe: str, what: str, version: int) -> Relation:
    """What a job's next night begins with, in the ledger's schema: groups_<digest of the job>_<digest of its columns>_<what>_v<version>."""
    digest = hashlib.sha256(job.encode()).hexdigest()[:12]
    return Relation((schema, f"groups_{digest}_{recipe[:8]}_{what}_v{version}"))


def kept_groups_version(relation: Relation, job: str, what: str) -> tuple[int, str] | None:
    """The version whose groups a table of the ledger's schema keeps, and the digest of its columns; none when it is not of this job."""
    digest = hashlib.sha256(job.encode()).hexdigest()[:12]
    found = re.fullmatch(rf"groups_{digest}_([0-9a-f]{{8}})_{what}_v(\d+)", relation.name)
    return (int(found[2]), found[1]) if found else None


def version_table(view: Relation, version: int, max_bytes: int) -> Relation:
    """The table behind a release: <name>__v<version>, beside the view readers use."""
    return Relation((*view.parts[:-1], shortened(view.name, max_bytes, f"__v{version}")))


def staged_table(view: Relation, run: str, max_bytes: int) -> Relation:
    """What earlier versions called a release that is not one yet: <name>__staged_<run>."""
    return Relation((*view.parts[:-1], shortened(view.name, max_bytes, f"__staged_{run}")))


def run_of_staged_table(relation: Relation, view: Relation, max_bytes: int) -> str | None:
    """The run that staged a release of the view under this name; none when it is not such a name."""
    found = re.search(r"__staged_([0-9a-z]+)$", relation.name)
    return found[1] if found and staged_table(view, found[1], max_bytes).name == relation.name else None


def version_of(text: str, view: Relation, max_bytes: int) -> int | None:
    """The version whose table a text (a view's definition, a table's name) names last; none when it names none."""
    found = [int(number) for number in re.findall(r"__v(\d+)(?!\w)", text)]
    named = [version for version in found if version_table(view, version, max_bytes).name in text.replace('""', '"')]
    return named[-1] if named else None


def run_of_work_table(relation: Relation) -> str | None:
    """The run whose work table it is; none when it is not one of ours."""
    found = re.match(rf"{WORK_PREFIX}(\d{{8}}t\d{{6}}x[0-9a-f]{{4,}})_", relation.name)
    return found[1] if found else None
