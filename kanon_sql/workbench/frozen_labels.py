"""How the labels of kept groups are frozen: which columns hold the ends of an interval, the node of a hierarchy, the values of a set."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import SetCode, TreeCode
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statements.nights import FrozenLabels
from kanon_sql.workbench.coding import Coded, is_range, is_tree
from kanon_sql.workbench.workbench import Workbench

NULL_WORD, VALUE_WORD = "n", "v"
"""A value of a set as it is remembered: `v` and its text, or `n` for NULL."""


@dataclass(frozen=True)
class FrozenColumns:
    """The columns of frozen labels, and those of tonight's rows that they are compared with."""

    bench: Workbench
    coded: Coded

    @property
    def row_codes(self) -> list[str]:
        """The codes of a row that labels are compared with."""
        return [*(f"a{i}" for i in self.trees), *(f"m{word}" for word in range(self.coded.boxes.words))]

    @property
    def compared(self) -> list[str]:
        """What of a row frozen labels are compared with."""
        return [*(f"v_{i}" for i in self.ranges), *(f"w_{i}" for i in self.wide), *self.row_codes]

    def frozen(self, values: Relation | None) -> FrozenLabels:
        """The labels of a version, with the values of its sets."""
        return FrozenLabels(tuple(self.ranges), tuple(self.trees), tuple(self.bits), tuple(self.wide), values)

    @property
    def ranges(self) -> list[int]:
        """Attributes whose labels are intervals."""
        return [i for i in range(len(self.bench.attributes)) if is_range(self.bench, i)]

    @property
    def trees(self) -> list[int]:
        """Attributes whose labels are nodes of a hierarchy."""
        return [i for i in range(len(self.bench.attributes)) if is_tree(self.bench, i)]

    @property
    def sets(self) -> list[int]:
        """Attributes whose labels are sets of values."""
        taken = {*self.ranges, *self.trees}
        return [i for i in range(len(self.bench.attributes)) if i not in taken]

    @property
    def bits(self) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
        """Sets that are masks of bits: the words and bits of each."""
        codes = {code.index: code for code in self.coded.boxes.codes if isinstance(code, SetCode)}
        return [(i, codes[i].masks) for i in self.sets if i in codes]

    @property
    def wide(self) -> list[int]:
        """Sets with too many values for bits."""
        codes = {code.index for code in self.coded.boxes.codes if isinstance(code, TreeCode)}
        return [i for i in self.sets if i in codes]

    @property
    def word(self) -> str:
        """The word of a dictionary row."""
        return f"case when words.label_0 is null then '{NULL_WORD}' else '{VALUE_WORD}' || words.label_0 end"

    def words(self, indexes: Sequence[int]) -> list[tuple[int, Relation, str]]:
        """Of attributes: their dictionary, and the word of its rows."""
        return [(i, self.bench.names.dictionary(i), self.word) for i in indexes]

    @property
    def label_columns(self) -> list[str]:
        """The columns of a label but its group and loss."""
        columns = [f"label_{i}" for i in range(len(self.bench.attributes))]
        columns += [f"{end}_{i}" for i in self.ranges for end in ("low", "high", "from", "to", "null")]
        return columns + [f"level_{i}" for i in self.trees]

    @property
    def published(self) -> list[str]:
        """What tells the labels of groups apart, as ordering expressions."""
        return [self.bench.dialect.ordered(f"labels.label_{i}", "text") for i in range(len(self.bench.attributes))]
