"""The box of a group: what it publishes of each attribute, as integer columns, and its loss as an integer expression.

A loss is a whole number of millionths of a cell, times the attribute's weight, so that every engine finds the same sums and the
same ties. Row columns: a<i> (position), f<i>_<j> and t<i>_<j> (first and last leaf of the ancestor at level j), m<w> (one bit per
value). Box columns: lo<i>, hi<i>, b<w>. c<i> is the code by which a row is cut and sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kanon_sql.sql.dialect import Dialect

UNIT = 1_000_000
"""The loss of one cell of which nothing is left."""
WORD_BITS = 62
ROW_PACK = 1 << 32
"""Above every row number: a cost times this, plus a row number, is ordered by cost and then by row."""

Box = Mapping[str, str]
"""Box column to expression."""
Witness = Callable[[int], str]
"""The alias of a row of the box that carries the ancestors of an attribute's value."""


@dataclass(frozen=True)
class RangeCode:
    """A numeric: its position is scaled so that the whole range is `full`."""

    index: int
    full: int

    @property
    def row_columns(self) -> list[str]:
        return [f"a{self.index}"]

    def loss(self, dialect: Dialect, box: Box, witness: Witness) -> str:
        return f"({box[f'hi{self.index}']} - {box[f'lo{self.index}']})"


@dataclass(frozen=True)
class TreeCode:
    """Values under levels that nest: leaves are numbered depth first, so the closest common ancestor is that of lo and hi.

    A label over leaves f..t costs `unit * (t - f + extra)`, `*` costs `full`. Without inner levels any two values cost `full`.
    """

    index: int
    full: int
    unit: int
    extra: int
    levels: tuple[int, ...]

    @property
    def row_columns(self) -> list[str]:
        return [f"a{self.index}", *(f"{end}{self.index}_{level}" for level in self.levels for end in "ft")]

    def loss(self, dialect: Dialect, box: Box, witness: Witness) -> str:
        i, low, high = self.index, box[f"lo{self.index}"], box[f"hi{self.index}"]
        plus = f" + {self.extra}" if self.extra else ""
        branches = ""
        if self.levels:
            row = witness(i)
            for j in self.levels:
                first, last = f"{row}.f{i}_{j}", f"{row}.t{i}_{j}"
                branches += f" when {low} >= {first} and {high} <= {last} then {self.unit} * ({last} - {first}{plus})"
        return f"(case when {low} = {high} then 0{branches} else {self.full} end)"


@dataclass(frozen=True)
class SetCode:
    """Values without levels: one bit each, in one word or several. `unit` is the loss of a value in the set; see `counts_first`."""

    index: int
    unit: int
    counts_first: bool
    masks: tuple[tuple[int, int], ...]
    """(word, mask) pairs."""
    rule: bool = False
    """The two sides of a rule: a group should hold values of one of them only."""

    def values_held(self, dialect: Dialect, box: Box) -> str:
        """How many different values a box holds."""
        return " + ".join(dialect.bit_count(f"({box[f'b{word}']} & {mask})") for word, mask in self.masks)

    def loss(self, dialect: Dialect, box: Box, witness: Witness) -> str:
        counts = self.values_held(dialect, box)
        if not self.counts_first:
            return f"({self.unit} * ({counts} - 1))"
        return f"(case when {counts} > 1 then {self.unit} * ({counts}) else 0 end)"


Code = RangeCode | TreeCode | SetCode


@dataclass(frozen=True)
class Boxes:
    """The codes of all attributes together."""

    dialect: Dialect
    codes: tuple[Code, ...]
    words: int
    full: int = 0
    """What a suppressed row costs."""

    @property
    def positional(self) -> list[RangeCode | TreeCode]:
        return [code for code in self.codes if not isinstance(code, SetCode)]

    @property
    def trees(self) -> list[TreeCode]:
        """Those whose loss needs a witness."""
        return [code for code in self.codes if isinstance(code, TreeCode) and code.levels]

    @property
    def row_columns(self) -> list[str]:
        return [
            *(column for code in self.positional for column in code.row_columns),
            *(f"m{word}" for word in range(self.words)),
        ]

    @property
    def cut_columns(self) -> list[str]:
        return [f"c{code.index}" for code in self.codes]

    @property
    def columns(self) -> list[str]:
        """The columns of a box."""
        return [
            *(f"{end}{code.index}" for code in self.positional for end in ("lo", "hi")),
            *(f"b{word}" for word in range(self.words)),
        ]

    @staticmethod
    def row_column(column: str) -> str:
        """The row column a box column is made of."""
        return f"m{column[1:]}" if column.startswith("b") else f"a{column[2:]}"

    def aggregate(self, column: str, expression: str) -> str:
        """The box column over many rows (or boxes)."""
        function = "bit_or" if column.startswith("b") else "min" if column.startswith("lo") else "max"
        return f"{function}({expression})"

    def aggregated(self, rows: str) -> dict[str, str]:
        return {column: self.aggregate(column, f"{rows}.{self.row_column(column)}") for column in self.columns}

    def together(self, column: str, left: str, right: str) -> str:
        """A box column of two boxes as one; either may be NULL."""
        if column.startswith("b"):
            return f"(coalesce({left}, 0) | coalesce({right}, 0))"
        function = "least" if column.startswith("lo") else "greatest"
        return f"{function}(coalesce({left}, {right}), coalesce({right}, {left}))"

    def of(self, alias: str, prefix: str = "") -> dict[str, str]:
        return {column: f"{alias}.{prefix}{column}" for column in self.columns}

    def of_row(self, row: str) -> dict[str, str]:
        """The box of one row."""
        return {column: f"{row}.{self.row_column(column)}" for column in self.columns}

    def with_row(self, box: Box, row: str) -> dict[str, str]:
        """A box and a row more."""
        return {column: self._both(column, box[column], f"{row}.{self.row_column(column)}") for column in self.columns}

    def with_box(self, left: Box, right: Box) -> dict[str, str]:
        return {column: self._both(column, left[column], right[column]) for column in self.columns}

    @staticmethod
    def _both(column: str, left: str, right: str) -> str:
        if column.startswith("b"):
            return f"({left} | {right})"
        return f"{'least' if column.startswith('lo') else 'greatest'}({left}, {right})"

    def loss(self, box: Box, witness: Witness) -> str:
        """The loss of a row of the box: a sum over attributes."""
        return " + ".join(code.loss(self.dialect, box, witness) for code in self.codes)

    def loss_with_row(self, box: Box, row: str) -> str:
        """The loss of a box and a row more; the row is the witness."""
        return self.loss(self.with_row(box, row), lambda index: row)

    def tree_joins(self, low: Callable[[int], str]) -> list[tuple[int, str, str]]:
        """(attribute, alias, the leaf's expression): what a box without a witness must be joined to."""
        return [(code.index, f"tree_{code.index}", low(code.index)) for code in self.trees]


def mask_words(sizes: Sequence[tuple[int, int]]) -> tuple[dict[int, list[tuple[int, int, int, int]]], int]:
    """Bits for the values of attributes (index, values): (word, first value, values, shift) parts of each, and the number of words."""
    parts: dict[int, list[tuple[int, int, int, int]]] = {}
    word, used = 0, 0
    for index, size in sizes:
        if used + size > WORD_BITS and used:
            word, used = word + 1, 0
        parts[index] = []
        first = 0
        while first < size:
            fitting = min(size - first, WORD_BITS - used)
            parts[index].append((word, first, fitting, used))
            first, used = first + fitting, used + fitting
            if used == WORD_BITS and first < size:
                word, used = word + 1, 0
    return parts, (word + 1 if used else word) if sizes else 0
