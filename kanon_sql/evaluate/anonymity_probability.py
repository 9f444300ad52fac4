"""The chance that a random table is k-anonymous, in closed form.

A combination of values ("cell") with probability p has Binomial(n, p) rows. The table is k-anonymous when no cell has 1 .. k-1 rows. Cells
are taken as independent, which is close where they are many; attributes are taken as independent of each other.
Cells are not listed: only how many there are of about each probability, in steps of a twentieth of a natural logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

STEP = 0.05
"""The width of a step of ln p."""
MOST_ROWS = 10**15

Cells = Mapping[float, float]
"""Probability of a cell -> how many cells have it."""


def equal_cells(cells: int) -> Cells:
    """Cells that are all as likely."""
    return {1 / cells: float(cells)}


def cells_of_frequencies(frequencies: Iterable[tuple[int, int]]) -> Cells:
    """The cells of one attribute from (rows of a value, how many values have so many)."""
    counted = list(frequencies)
    total = sum(rows * values for rows, values in counted)
    return {rows / total: float(values) for rows, values in counted if rows > 0}


def crossed(one: Cells, other: Cells) -> Cells:
    """The cells of two independent attributes together; probabilities within a step are put together at their mean."""
    steps: dict[int, tuple[float, float]] = {}
    for p, cells in one.items():
        for q, more in other.items():
            step = round(math.log(p * q) / STEP)
            count, mass = steps.get(step, (0.0, 0.0))
            steps[step] = (count + cells * more, mass + cells * more * p * q)
    return {mass / count: count for count, mass in steps.values()}


def chance(cells: Cells, rows: int, k: int) -> float:
    """The chance that no cell has 1 .. k-1 rows."""
    logarithm = 0.0
    for p, count in cells.items():
        few = sum(binomial(rows, j, p) for j in range(1, min(k, rows + 1)))
        if few >= 1:
            return 0.0
        logarithm += count * math.log1p(-few)
    return math.exp(logarithm)


def rows_below_k(cells: Cells, rows: int, k: int) -> float:
    """The rows expected in cells of 1 .. k-1 rows."""
    return sum(count * sum(j * binomial(rows, j, p) for j in range(1, min(k, rows + 1))) for p, count in cells.items())


def rows_needed(cells: Cells, k: int, wanted: float) -> int | None:
    """The rows from which on the chance stays at `wanted` or above; None beyond 10^15.

    The chance is not monotone: a table so small that rare combinations are absent may pass, and a larger one fail by them. So the last
    crossing is sought, from above.
    """
    high = MOST_ROWS
    if chance(cells, high, k) < wanted:
        return None
    low = high
    while low > k:
        low = max(k, low // 2)
        if chance(cells, low, k) < wanted:
            break
        high = low
    while high - low > 1:
        middle = (low + high) // 2
        if chance(cells, middle, k) < wanted:
            low = middle
        else:
            high = middle
    return high


def binomial(n: int, j: int, p: float) -> float:
    """The chance of j of n, each with chance p."""
    if p >= 1:
        return 1.0 if j == n else 0.0
    logarithm = math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1)
    if n > 10**9:  # the difference of two large lgammas loses all digits; n!/(n-j)! is n^j here
        logarithm = j * math.log(n) - math.lgamma(j + 1)
    return math.exp(logarithm + j * math.log(p) + (n - j) * math.log1p(-p))
