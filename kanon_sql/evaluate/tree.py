"""A partition tree: which columns tell a control column's values apart, in the source and in the release (thesis, figures 6-9 and 15-20).

The tree is scikit-learn's; the data reach it aggregated by class, with their rows as weights. A numeric of the release enters as the middle
of its interval. Intervals of two leaves may overlap; so beside the rows of a leaf stand those that are clear of overlap: their whole
interval satisfies the leaf's conditions (the thesis filters so by hand).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from kanon_sql.errors import JobError
from kanon_sql.frozen import dataclass
from kanon_sql.results import Result

NEAR = 0.05
"""A bucket survives when its share is at most this much lower, with at least half the rows, on a column that made it in the source."""
NAMED = 6
"""Labels of a categorical condition that are named."""

BELOW_ALL = -1e30
"""Where NULL stands among numbers: the tree computes in single precision."""

RARE = "rare values"

Cell = tuple[str | None, float | None, float | None]
"""A label, and the ends of its interval where it is a numeric's."""


@dataclass(frozen=True)
class Aggregated:
    """Classes: a cell for each feature, the control's value, rows. `whole[i]`: a numeric feature that holds integers only."""

    features: tuple[str, ...]
    numeric: tuple[bool, ...]
    whole: tuple[bool, ...]
    classes: tuple[tuple[tuple[Cell, ...], str | None, int], ...]

    @property
    def rows(self) -> int:
        return sum(n for _, _, n in self.classes)


@dataclass(frozen=True)
class Bucket:
    """A leaf: how many rows, under which conditions, and what share of them has the value it stands for."""

    value: str
    rows: int
    share: float
    conditions: tuple[str, ...]
    columns: tuple[str, ...]
    clear_rows: int
    clear_share: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "rows": self.rows,
            "share": self.share,
            "condition": " and ".join(self.conditions) or "everything",
            "columns": list(self.columns),
            "clear_rows": self.clear_rows,
            "clear_share": self.clear_share,
        }


@dataclass(frozen=True)
class TreeComparison(Result):
    """The leaves of both trees; `unknown` rows of the release have a control that is generalised and say nothing."""

    control: str
    source: tuple[Bucket, ...]
    release: tuple[Bucket, ...]
    unknown: int

    @property
    def buckets(self) -> list[tuple[str, Bucket, Bucket | None]]:
        """For each value of the control: the purest leaf of the source, and of the release."""
        values = sorted({bucket.value for bucket in self.source})
        found = []
        for value in values:
            best = purest(self.source, value)
            assert best is not None
            found.append((value, best, purest(self.release, value, clear=True)))
        return found

    def to_dict(self) -> dict[str, Any]:
        return {
            "control": self.control,
            "unknown": self.unknown,
            "buckets": [
                {
                    "value": value,
                    "source": source.to_dict(),
                    "release": None if release is None else release.to_dict(),
                    "survives": survives(source, release),
                }
                for value, source, release in self.buckets
            ],
            "source": [bucket.to_dict() for bucket in self.source],
            "release": [bucket.to_dict() for bucket in self.release],
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per leaf of either tree."""
        return [
            {"tree": tree} | bucket.to_dict()
            for tree, leaves in (("source", self.source), ("release", self.release))
            for bucket in leaves
        ]


def purest(leaves: Sequence[Bucket], value: str, clear: bool = False) -> Bucket | None:
    """The leaf that stands for a value with the highest share (of the rows clear of overlap, if asked)."""
    own = [leaf for leaf in leaves if leaf.value == value and leaf.conditions and (leaf.clear_rows > 0 or not clear)]
    return max(own, key=lambda leaf: (leaf.clear_share if clear else leaf.share, leaf.rows), default=None)


def survives(source: Bucket, release: Bucket | None) -> bool:
    """Whether the release tells what the source told: nearly the share, at least half the rows, by a column that told it."""
    return (
        release is not None
        and release.clear_share >= source.share - NEAR
        and 2 * release.clear_rows >= source.rows
        and bool(set(source.columns) & set(release.columns))
    )


def grow(data: Aggregated, leaves: int, least: int, name_from: int) -> tuple[Bucket, ...]:
    """A tree of at most so many `leaves`, the best split always next, none of fewer than `least` rows.

    A condition names only labels of at least `name_from` rows: rare ones are counted.
    """
    known = _without_rare(data, least)
    total = sum(n for _, _, n in known)
    if total == 0:
        return ()
    encoded = [_encoding(known, i, numeric) for i, numeric in enumerate(data.numeric)]
    matrix = [[encode(cells[i]) for i, encode in enumerate(encoded)] for cells, _, _ in known]
    try:
        trees = import_module("sklearn.tree")
    except ImportError as missing:
        raise JobError(
            "a partition tree needs scikit-learn, which is not installed", "pip install 'kanon_sql[report]'"
        ) from missing
    tree = trees.DecisionTreeClassifier(
        criterion="entropy",
        max_leaf_nodes=max(2, leaves),
        min_weight_fraction_leaf=min(0.5, least / total),
        random_state=0,
    )
    tree.fit(matrix, [control for _, control, _ in known], sample_weight=[n for _, _, n in known])
    found = [
        _bucket(data, encoded, inside, known, path, name_from)
        for path, inside in _leaves(tree.tree_, encoded, known, matrix)
    ]
    return tuple(sorted(found, key=lambda bucket: (bucket.value, -bucket.share, -bucket.rows)))


def _without_rare(data: Aggregated, least: int) -> list[tuple[tuple[Cell, ...], str | None, int]]:
    """The classes with a known control; labels of fewer than `least` rows are put together, or a tree would learn them by heart."""
    known = [(cells, control, n) for cells, control, n in data.classes if control is not None]
    frequent: list[set[str | None]] = []
    for i in range(len(data.features)):
        rows = Counter[str | None]()
        for cells, _, n in known:
            rows[cells[i][0]] += n
        frequent.append({label for label, n in rows.items() if n >= least})
    return [
        (
            tuple(
                cell if data.numeric[i] or cell[0] in frequent[i] else (RARE, None, None)
                for i, cell in enumerate(cells)
            ),
            control,
            n,
        )
        for cells, control, n in known
    ]


class _Encoding:
    """A feature as a number: the middle of an interval; a text by the share of the commonest control value among its rows.

    For two control values such an order finds the best of all subsets (Breiman et al. 1984, theorem 4.5).
    """

    def __init__(self, numeric: bool, order: dict[str | None, int]) -> None:
        self.numeric = numeric
        self.order = order

    def __call__(self, cell: Cell) -> float:
        label, low, high = cell
        if not self.numeric:
            return float(self.order[label])
        return BELOW_ALL if low is None or high is None else (low + high) / 2


def _encoding(known: Sequence[tuple[tuple[Cell, ...], str | None, int]], index: int, numeric: bool) -> _Encoding:
    if numeric:
        return _Encoding(True, {})
    overall = Counter[str]()
    rows, common = Counter[str | None](), Counter[str | None]()
    for _, control, n in known:
        overall[str(control)] += n
    first = min(overall, key=lambda value: (-overall[value], value))
    for cells, control, n in known:
        rows[cells[index][0]] += n
        common[cells[index][0]] += n if control == first else 0
    ordered = sorted(rows, key=lambda label: (common[label] / rows[label], str(label)))
    return _Encoding(False, {label: place for place, label in enumerate(ordered)})


Row = tuple[tuple[Cell, ...], str | None, int]


@dataclass(frozen=True)
class _Split:
    """A way taken at a split. `below` is the greatest end on the lower side, `above` the least on the upper; NULLs aside.

    Where `above` is not greater than `below`, intervals of the two sides overlap.
    """

    feature: int
    upper: bool
    threshold: float
    below: float | None
    above: float | None

    def is_clear(self, numeric: bool, cell: Cell) -> bool:
        """Whether a cell lies wholly on its side."""
        _, low, high = cell
        if not numeric or low is None or high is None:
            return True
        if self.upper:
            return self.below is None or low > self.below
        return self.above is None or high < self.above


def _leaves(
    tree: Any, encoded: Sequence[_Encoding], known: Sequence[Row], matrix: Sequence[Sequence[float]]
) -> list[tuple[list[_Split], list[Row]]]:
    """Every leaf: the splits that lead to it, and its rows."""
    found: list[tuple[list[_Split], list[Row]]] = []
    waiting: list[tuple[int, list[_Split], list[int]]] = [(0, [], list(range(len(known))))]
    while waiting:
        node, path, inside = waiting.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left == right:
            found.append((path, [known[place] for place in inside]))
            continue
        feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
        lower = [place for place in inside if matrix[place][feature] <= threshold]
        upper = [place for place in inside if matrix[place][feature] > threshold]
        below = max((end for p in lower if (end := known[p][0][feature][2]) is not None), default=None)
        above = min((end for p in upper if (end := known[p][0][feature][1]) is not None), default=None)
        for child, places in ((left, lower), (right, upper)):
            waiting.append((child, [*path, _Split(feature, child == right, threshold, below, above)], places))
    return found


def _bucket(
    data: Aggregated,
    encoded: Sequence[_Encoding],
    inside: Sequence[Row],
    known: Sequence[Row],
    path: Sequence[_Split],
    name_from: int,
) -> Bucket:
    counts = Counter[str]()
    clear = Counter[str]()
    for cells, control, n in inside:
        counts[str(control)] += n
        if all(split.is_clear(data.numeric[split.feature], cells[split.feature]) for split in path):
            clear[str(control)] += n
    value = min(counts, key=lambda each: (-counts[each], each))
    rows, clear_rows = sum(counts.values()), sum(clear.values())
    tightest: dict[tuple[int, bool], _Split] = {}
    for split in path:  # a later split on the same side of the same feature is the tighter one
        tightest[split.feature, split.upper] = split
    return Bucket(
        value=value,
        rows=rows,
        share=counts[value] / rows,
        conditions=tuple(_conditions(data, encoded, known, tightest, name_from)),
        columns=tuple(dict.fromkeys(data.features[split.feature] for split in path)),
        clear_rows=clear_rows,
        clear_share=clear[value] / clear_rows if clear_rows else 0.0,
    )


def _conditions(
    data: Aggregated,
    encoded: Sequence[_Encoding],
    known: Sequence[Row],
    tightest: dict[tuple[int, bool], _Split],
    name_from: int,
) -> list[str]:
    words = []
    for feature in dict.fromkeys(feature for feature, _ in tightest):
        name = data.features[feature]
        lower, upper = tightest.get((feature, True)), tightest.get((feature, False))
        if data.numeric[feature]:
            words += [f"{name} {end}" for end in _ends(lower, upper)]
            continue
        rows = Counter[str | None]()
        for cells, _, n in known:
            place = encoded[feature](cells[feature])
            if (lower is None or place > lower.threshold) and (upper is None or place <= upper.threshold):
                rows[cells[feature][0]] += n
        frequent = [label for label, n in rows.most_common() if n >= name_from][:NAMED]
        others = len(rows) - len(frequent)
        shown = ", ".join("NULL" if label is None else label for label in frequent)
        words.append(f"{name} in {{{shown}{f' and {others} more' if others else ''}}}")
    return words


def _ends(lower: _Split | None, upper: _Split | None) -> list[str]:
    """The conditions of a numeric, in the words of the values that stand beside the split."""
    words = []
    if lower is not None:
        if lower.below is None:
            words.append("is not NULL")
        elif lower.above is None or lower.above <= lower.below:
            words.append(f"> {lower.below:,.6g}")
        else:
            words.append(f">= {lower.above:,.6g}")
    if upper is not None:
        words.append("is NULL" if upper.below is None else f"< {upper.above:,.6g}")
    return words
