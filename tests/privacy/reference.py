"""The privacy models in plain Python, straight from the papers' definitions, over lists of values. Shares nothing with the SQL."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

TOLERANCE = 1e-9
Values = Sequence[object]
Violates = Callable[[Values, Values], bool]


def shares(values: Values) -> dict[object, float]:
    return {value: count / len(values) for value, count in Counter(values).items()}


def entropy(values: Values) -> float:
    return -sum(q * math.log(q) for q in shares(values).values())


def recursive_holds(values: Values, c: float, l: int) -> bool:  # noqa: E741
    counts = sorted(Counter(values).values(), reverse=True)
    return counts[0] < c * sum(counts[l - 1 :]) - TOLERANCE


def equal_distance(values: Values, whole: Values) -> float:
    q, p = shares(values), shares(whole)
    return sum(abs(q.get(value, 0) - p[value]) for value in p) / 2


def ordered_distance(values: Values, whole: Values, order: Sequence[object] | None = None) -> float:
    q, p = shares(values), shares(whole)
    own = sorted(p, key=lambda v: (v is not None, v))  # type: ignore[arg-type, return-value]
    domain = own if order is None else [v for v in (None, *order) if v in p]
    if len(domain) == 1:
        return 0.0
    moved = total = 0.0
    for value in domain:
        moved += q.get(value, 0) - p[value]
        total += abs(moved)
    return total / (len(domain) - 1)


def hierarchical_distance(values: Values, whole: Values, paths: dict[object, tuple[str, ...]]) -> float:
    """Section 4.2 of the paper: cost(N) = height(N)/H * min(pos_extra(N), neg_extra(N)), over all inner nodes."""
    q, p = shares(values), shares(whole)
    height = len(next(iter(paths.values()))) + 1

    def ancestor(value: object, level: int) -> object:
        if level == 0:
            return value
        if level == height:
            return "root"
        return ("null",) if value is None else paths[value][level - 1]

    total = 0.0
    for level in range(1, height + 1):
        extras: dict[object, dict[object, float]] = {}
        for value in p:
            children = extras.setdefault((level, ancestor(value, level)), {})
            child = ancestor(value, level - 1)
            children[child] = children.get(child, 0.0) + p[value] - q.get(value, 0)
        for children in extras.values():
            positive = sum(extra for extra in children.values() if extra > 0)
            negative = -sum(extra for extra in children.values() if extra < 0)
            total += level / height * min(positive, negative)
    return total


def beta_holds(values: Values, whole: Values, beta: float, kind: str) -> bool:
    q, p = shares(values), shares(whole)
    for value, share in q.items():
        if share > p[value]:
            bound = beta if kind == "basic" else min(beta, -math.log(p[value]))
            if (share - p[value]) / p[value] > bound + TOLERANCE:
                return False
    return True


def reference(key: str, section: dict[str, object], paths: dict[object, tuple[str, ...]]) -> Violates:
    """When a class violates one entry of the privacy section."""
    if key == "l_diversity":
        kind, l = section["kind"], float(section["l"])  # type: ignore[arg-type]  # noqa: E741
        if kind == "distinct":
            return lambda values, whole: len(set(values)) < l
        if kind == "entropy":
            return lambda values, whole: entropy(values) < math.log(l) - TOLERANCE
        return lambda values, whole: not recursive_holds(values, float(section["c"]), int(l))  # type: ignore[arg-type]
    if key == "t_closeness":
        t = float(section["t"])  # type: ignore[arg-type]
        if section["distance"] == "equal":
            return lambda values, whole: equal_distance(values, whole) > t + TOLERANCE
        if section["distance"] == "ordered":
            order = section.get("order")
            return lambda values, whole: ordered_distance(values, whole, order) > t + TOLERANCE  # type: ignore[arg-type]
        return lambda values, whole: hierarchical_distance(values, whole, paths) > t + TOLERANCE
    if key == "p_sensitive":
        return lambda values, whole: len(set(values)) < section["p"]  # type: ignore[operator]
    if key == "alpha":
        alpha, named = float(section["alpha"]), section.get("values")  # type: ignore[arg-type]

        def too_frequent(values: Values, whole: Values) -> bool:
            chosen = {v: q for v, q in shares(values).items() if not named or v in named}  # type: ignore[operator]
            return max(chosen.values(), default=0.0) > alpha + TOLERANCE

        return too_frequent
    assert key == "beta_likeness"
    beta, kind = float(section["beta"]), str(section["kind"])  # type: ignore[arg-type]
    return lambda values, whole: not beta_holds(values, whole, beta, kind)
