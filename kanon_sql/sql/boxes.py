"""The box of a group: what it publishes of each attribute, as integer columns, and its loss as an integer expression.

A loss is a whole number of millionths of a cell, times the attribute's weight, so that every engine finds the same sums and the
same ties. Row columns: a<i> (position), f<i>_<j> and t<i>_<j> (first and last leaf of the ancestor at level j), m<w> (one bit per
value). Box columns: lo<i>, hi<i>, b<w>. c<i> is the code by which a row is cut and sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isqrt

from kanon_sql.frozen import dataclass
from kanon_sql.sql.dialect import Dialect

UNIT = 1_000_000
"""The loss of one cell of which nothing is left."""
WORD_BITS = 62
ROW_PACK = 1 << 32
"""Above every row number: a cost times this, plus a row number, is ordered by cost and then by row."""
EVERYTHING = 1 << 60
"""Above what any group loses."""

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

    def added(self, dialect: Dialect, box: str, row: str) -> str:
        """What a row more costs a stored box, whose columns begin with `box`."""
        at, low, high = f"{row}.a{self.index}", f"{box}lo{self.index}", f"{box}hi{self.index}"
        return f"(case when {at} > {high} then {at} - {high} when {at} < {low} then {low} - {at} else 0 end)"

    def apart(self, dialect: Dialect, left: str, right: str) -> str:
        """What two rows alone lose in one box."""
        return f"abs({left}.a{self.index} - {right}.a{self.index})"


@dataclass(frozen=True)
class TreeCode:
    """Values under levels that nest: leaves are numbered depth first, so the closest common ancestor is that of lo and hi.

    A label over leaves f..t costs `unit * (t - f + extra)`, `*` costs `full`. Without inner levels any two values cost `full`.
    With `costs`, what each pair of leaves costs is known beforehand: then a row needs its position alone, and no witness.
    """

    index: int
    full: int
    unit: int
    extra: int
    levels: tuple[int, ...]
    costs: tuple[int, ...] = ()
    """By lo * leaves + hi; empty: the ancestors of a row are asked."""
    places: tuple[int, ...] = ()
    """By lo * leaves + hi: the number of the closest common ancestor, times the leaves."""
    growth: tuple[int, ...] = ()
    """By ancestor and leaf: what the leaf adds to what the ancestor costs."""

    @property
    def row_columns(self) -> list[str]:
        return [f"a{self.index}", *([] if self.costs else self.ancestor_columns)]

    @property
    def ancestor_columns(self) -> list[str]:
        return [f"{end}{self.index}_{level}" for level in self.levels for end in "ft"]

    def with_costs(self, leaves: Sequence[Sequence[int]]) -> TreeCode:
        """`leaves`: of each leaf, in their order, (first, last) of its ancestor at each level, one after another."""
        size = len(leaves)

        def ancestor(low: int, high: int) -> tuple[int, int]:
            if low == high:
                return low, high
            ends = leaves[low]
            return next(((f, t) for f, t in zip(ends[::2], ends[1::2], strict=True) if high <= t), (-1, size))

        pairs = [[ancestor(min(low, high), max(low, high)) for high in range(size)] for low in range(size)]
        nodes = {node: place for place, node in enumerate(sorted({node for line in pairs for node in line}))}

        def cost(node: tuple[int, int]) -> int:
            first, last = node
            return 0 if first == last else self.full if first < 0 else self.unit * (last - first + self.extra)

        def added(node: tuple[int, int], leaf: int) -> int:
            first, last = node
            return 0 if first <= leaf <= last else cost(pairs[min(first, leaf)][max(last, leaf)]) - cost(node)

        return replace(
            self,
            costs=tuple(cost(node) for line in pairs for node in line),
            places=tuple(nodes[node] * size for line in pairs for node in line),
            growth=tuple(added(node, leaf) for node in nodes for leaf in range(size)),
        )

    def place(self, dialect: Dialect, box: Box) -> str:
        """Where what rows add to a box begins in `growth`."""
        low, high = box[f"lo{self.index}"], box[f"hi{self.index}"]
        return dialect.element(self.places, f"{low} * {isqrt(len(self.costs))} + {high}")

    def added(self, dialect: Dialect, box: str, row: str) -> str:
        return dialect.element(self.growth, f"{box}d{self.index} + {row}.a{self.index}")

    def apart(self, dialect: Dialect, left: str, right: str) -> str:
        i = self.index
        if self.costs:
            return dialect.element(self.costs, f"{left}.a{i} * {isqrt(len(self.costs))} + {right}.a{i}")
        ends = (f"{left}.a{i}", f"{right}.a{i}")
        box = {f"lo{i}": dialect.lesser(*ends), f"hi{i}": dialect.greater(*ends)}
        return self.loss(dialect, box, lambda index: right)

    def loss(self, dialect: Dialect, box: Box, witness: Witness) -> str:
        i, low, high = self.index, box[f"lo{self.index}"], box[f"hi{self.index}"]
        if self.costs:
            return dialect.element(self.costs, f"{low} * {isqrt(len(self.costs))} + {high}")
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

    def added(self, dialect: Dialect, box: str, row: str) -> str:
        held = " and ".join(f"({row}.m{w} & {mask} & {box}b{w}) = ({row}.m{w} & {mask})" for w, mask in self.masks)
        if not self.counts_first:
            return f"(case when {held} then 0 else {self.unit} end)"
        counts = " + ".join(dialect.bit_count(f"({box}b{word} & {mask})") for word, mask in self.masks)
        return f"(case when {held} then 0 when {counts} > 1 then {self.unit} else {2 * self.unit} end)"

    def apart(self, dialect: Dialect, left: str, right: str) -> str:
        """A row has one bit of its attribute's."""
        same = " or ".join(f"({left}.m{word} & {right}.m{word} & {mask}) <> 0" for word, mask in self.masks)
        return f"(case when {same} then 0 else {2 * self.unit if self.counts_first else self.unit} end)"


Code = RangeCode | TreeCode | SetCode


FIRST_STAGE = 5
"""Attributes by which it is first told whether a row may join a group at all."""


@dataclass(frozen=True)
class AddedLoss:
    """What a row adds to a box in some of the attributes, and the row columns it is told from."""

    expression: str
    row_columns: list[str]


def _telling(code: Code) -> int:
    """What tells most for the least work comes first: ranges, sets, then trees by how many leaves they have."""
    if isinstance(code, TreeCode):
        return -len(code.growth) if code.costs else 2
    return -(1 << 60) if isinstance(code, RangeCode) else 1


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
        return [code for code in self.codes if isinstance(code, TreeCode) and code.levels and not code.costs]

    def asking(self) -> Boxes:
        """The same without costs known beforehand: every tree asks the ancestors of its rows."""
        plain = (
            replace(code, costs=(), places=(), growth=()) if isinstance(code, TreeCode) else code for code in self.codes
        )
        return replace(self, codes=tuple(plain))

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

    def _both(self, column: str, left: str, right: str) -> str:
        if column.startswith("b"):
            return f"({left} | {right})"
        return self.dialect.lesser(left, right) if column.startswith("lo") else self.dialect.greater(left, right)

    def loss(self, box: Box, witness: Witness) -> str:
        """The loss of a row of the box: a sum over attributes."""
        return " + ".join(code.loss(self.dialect, box, witness) for code in self.codes)

    def loss_with_row(self, box: Box, row: str) -> str:
        """The loss of a box and a row more; the row is the witness."""
        return self.loss(self.with_row(box, row), lambda index: row)

    def loss_in_place(self, box: str, loss: str, row: str) -> str:
        """The loss of a box, whose columns begin with `box` and whose own loss is known, and a row more: most rows bring little that is new.
        Trees, and sides of rules, which a box may have none of, are told anew, and with them all."""
        if any(isinstance(code, TreeCode) or (isinstance(code, SetCode) and code.rule) for code in self.codes):
            alias, prefix = box.split(".")
            return self.loss_with_row(self.of(alias, prefix), row)
        added = [code.added(self.dialect, box, row) for code in self.codes if isinstance(code, RangeCode)]
        of_words: dict[tuple[int, ...], list[SetCode]] = {}
        for code in self.codes:
            if isinstance(code, SetCode):
                of_words.setdefault(tuple(word for word, _ in code.masks), []).append(code)
        for words, codes in of_words.items():
            told = " + ".join(code.added(self.dialect, box, row) for code in codes)
            if len(words) == 1 and len(codes) > 1:
                mask = sum(mask for code in codes for _, mask in code.masks)
                told = f"(case when ({row}.m{words[0]} & {mask} & {box}b{words[0]}) = ({row}.m{words[0]} & {mask}) then 0 else {told} end)"
            added.append(told)
        return " + ".join([loss, *added])

    def loss_of_two(self, left: str, right: str) -> str:
        """The loss of two rows in one box: less work than a box that a row joins. There are no rules: a value may have no side."""
        return " + ".join(code.apart(self.dialect, left, right) for code in self.codes)

    @property
    def known(self) -> list[TreeCode]:
        """The trees whose costs are known beforehand."""
        return [code for code in self.codes if isinstance(code, TreeCode) and code.costs]

    @property
    def _chained(self) -> list[TreeCode]:
        return [code for code in self.codes if isinstance(code, TreeCode) and not code.costs]

    def stored(self, box: Box, witness: Witness) -> dict[str, str]:
        """What is kept beside a box so that a row more is soon weighed: see `loss_joined`."""
        found = {f"d{code.index}": code.place(self.dialect, box) for code in self.known}
        if self._chained:
            found["chained"] = " + ".join(code.loss(self.dialect, box, witness) for code in self._chained)
        return found

    def loss_joined(self, box: str, row: str) -> str:
        """The loss of a stored box and a row more: its own, and what the row adds; in trees without known costs all is told anew."""
        return " + ".join([f"{box}.loss", *(added for _, added in self._added(box, row))])

    def added_by_stages(self, box: str, row: str) -> list[AddedLoss]:
        """What a row adds to a stored box, in stages: no stage is negative, so that a first one of few columns says who is too dear."""
        order = sorted(self._added(box, row), key=lambda entry: _telling(entry[0]))
        first = len(order) if len(order) <= FIRST_STAGE else FIRST_STAGE
        stages = [order[:first], order[first:]]
        return [
            AddedLoss(" + ".join(added for _, added in stage), self._row_columns([code for code, _ in stage]))
            for stage in stages
            if stage
        ]

    def _added(self, box: str, row: str) -> list[tuple[Code, str]]:
        """Each code with what a row adds to a stored box; trees without known costs stand together under the first of them."""
        found = [(code, code.added(self.dialect, f"{box}.", row)) for code in self.codes if code not in self._chained]
        if self._chained:
            joined = self.with_row(self.of(box), row)
            told = [code.loss(self.dialect, joined, lambda index: row) for code in self._chained]
            found.append((self._chained[0], f"({' + '.join(told)} - {box}.chained)"))
        return found

    def _row_columns(self, codes: Sequence[Code]) -> list[str]:
        """The row columns that what these codes add is told from."""
        chained = self._chained if any(code in self._chained for code in codes) else []
        words = sorted({word for code in codes if isinstance(code, SetCode) for word, _ in code.masks})
        asked = [code for code in self.positional if code in codes or code in chained]
        return [*(column for code in asked for column in code.row_columns), *(f"m{word}" for word in words)]

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
