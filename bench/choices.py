"""Random choices as SQL: an integer hash of the row number, and picks by share.

Integer arithmetic modulo a prime, not the engine's own hash, so that a table stays the same over the engine's versions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

# A prime p below 2^31 with p = 2 (mod 3): cubing is a permutation, and a product of two hashes stays below 2^62.
PRIME = 2_147_483_579

Shares = Sequence[tuple[str, int]]


def shares(text: str) -> Shares:
    """Read `value share, value share, ...`; shares are relative."""
    return tuple((value, int(share)) for value, share in (part.strip().rsplit(" ", 1) for part in text.split(",")))


def hashed(relation: str, number: str, choices: Iterable[str], seed: int) -> str:
    """A query with one hash column `h_<choice>` per choice beside the row number `i`."""
    constants = random.Random(seed)
    names = [f"h_{choice}" for choice in choices]
    linear = ",\n        ".join(
        f"({number} * {constants.randrange(2**30, PRIME)} + {constants.randrange(PRIME)}) % {PRIME} as {name}"
        for name in names
    )
    cubed = ",\n    ".join(f"{name} * {name} % {PRIME} * {name} % {PRIME} as {name}" for name in names)
    return f"""select
    i,
    {cubed}
from (
    select
        {number} as i,
        {linear}
    from {relation}
) as linear_forms"""


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def pick(choice: str, values: Shares) -> str:
    """One of the values, each with its share of the sum of shares."""
    whole, total, branches = sum(share for _, share in values), 0, []
    for value, share in values[:-1]:
        total += share
        branches.append(f"when h_{choice} % {whole} < {total} then {literal(value)}")
    return f"case {' '.join(branches)} else {literal(values[-1][0])} end"


def choose(branches: Sequence[tuple[str | None, Shares]], choice: str) -> str:
    """A pick whose shares depend on the first condition that holds; None holds always."""
    *conditional, (_, rest) = branches
    cases = " ".join(f"when {condition} then {pick(choice, values)}" for condition, values in conditional)
    return f"case {cases} else {pick(choice, rest)} end" if cases else pick(choice, rest)


def between(choice: str, bands: Sequence[tuple[int, int, int]]) -> str:
    """A whole number: a band (low, high, share) by its share, then evenly within the band."""
    whole, total, branches = sum(share for _, _, share in bands), 0, []
    for low, high, share in bands:
        total += share
        branches.append(f"when h_{choice} % {whole} < {total} then {low} + h_{choice} // 65536 % {high - low + 1}")
    return f"case {' '.join(branches)} end"


def skewed(choice: str, values: int, power: int = 3) -> str:
    """A whole number from 0 to values - 1, small ones far more often: the power of an even choice."""
    even = f"(h_{choice} / {float(PRIME)})"
    return f"cast(floor({values} * {' * '.join([even] * power)}) as integer)"
