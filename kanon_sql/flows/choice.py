"""A choice in words: what is published of each column, an example that k rows share, what it costs, and what else could be taken."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kanon_sql.metrics.objective import Objective, SeparableObjective
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import meaning
from kanon_sql.model.verdict import Verdict
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import Code, RangeCode, TreeCode
from kanon_sql.workbench.objectives import build_weights, objective_of
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.evaluate.score import Score

WHOLE = 0.9995
"""A column of which so much is lost is withheld; of which the rest is lost, it is as stored."""


def columns_of_node(bench: Workbench, objective: Objective, verdict: Verdict) -> list[dict[str, Any]]:
    """What a node publishes of each column, and the column's share of the loss (of glm where the measure is not a sum over columns)."""
    parts, whole = _parts(bench, objective, verdict)
    return [
        {
            "column": attribute.name,
            "level": level,
            "levels": attribute.star,
            "published": meaning(attribute.levels[level]),
            "withheld": level == attribute.star,
            "example": None,
            "labels": bench.sizes[i][level],
            "share_of_loss": parts[i] / whole if whole > 0 else 0.0,
        }
        for i, (attribute, level) in enumerate(zip(bench.attributes, verdict.node, strict=True))
    ]


def _parts(bench: Workbench, objective: Objective, verdict: Verdict) -> tuple[list[float], float]:
    whole = objective.loss(verdict)
    if not isinstance(objective, SeparableObjective):
        found = objective_of(bench, build_weights(bench), "glm").objective
        assert isinstance(found, SeparableObjective)
        objective, whole = found, found.bound(verdict.node)
    return [part[level] for part, level in zip(objective.parts, verdict.node, strict=True)], whole


def with_example(bench: Workbench, chosen: Chosen) -> Chosen:
    """A chosen node with the labels of its largest class beside what it publishes: k rows share them."""
    recoding = chosen.recoding
    if not isinstance(recoding, GlobalRecoding):
        return chosen
    kept = [(i, level) for i, level in enumerate(recoding.node) if level < bench.attributes[i].star]
    counted = bench.embedded or bench  # where the search was, if its counts left; labels never do
    statement = statements.evaluate.largest_class(
        counted.dialect, counted.names.base, kept, bench.counts_persons, max(1, bench.job.privacy.k)
    )
    rows = counted.backend.fetch(statement)
    if not rows:
        return chosen
    named = [
        (i, bench.names.dictionary(i), level, int(code)) for (i, level), code in zip(kept, rows[0][1:], strict=True)
    ]
    found = bench.backend.fetch(statements.evaluate.class_labels(bench.dialect, named)) if named else []
    labels = {int(i): _text(label) for i, label in found}
    choice = [line | {"example": labels.get(i, "*")} for i, line in enumerate(chosen.plan.choice)]
    return Chosen(recoding, dataclasses.replace(chosen.plan, choice=choice, example_rows=int(rows[0][0])))


def columns_of_groups(bench: Workbench, codes: Sequence[Code], score: Score) -> tuple[list[dict[str, Any]], int | None]:
    """What groups publish of each column on average, the largest of them as an example, and its rows."""
    scored, labels = score.attributes, [f"label_{i}" for i in range(len(bench.attributes))]
    assert score.published is not None
    columns = [attribute.name for attribute in bench.attributes]
    k = max(1, bench.job.privacy.k)
    statement = statements.evaluate.sample_classes(bench.dialect, score.published, labels, k, 1, "sum(n)")
    rows = bench.backend.fetch(statement)
    whole = sum(float(part["weight"]) * float(part["glm"]) for part in scored.values())
    by_index = {code.index: code for code in codes}
    choice = []
    for i, name in enumerate(columns):
        glm = float(scored[name]["glm"])
        choice.append(
            {
                "column": name,
                "published": _width(by_index.get(i), glm),
                "withheld": glm >= WHOLE,
                "example": _text(rows[-1][i]) if rows else None,
                "labels": int(scored[name]["labels"]),
                "share_of_loss": float(scored[name]["weight"]) * glm / whole if whole > 0 else 0.0,
            }
        )
    return choice, int(rows[-1][-1]) if rows else None


def _width(code: Code | None, glm: float) -> str:
    if glm >= WHOLE:
        return "withheld (*)"
    if glm <= 1 - WHOLE:
        return "as stored"
    if glm < 0.01:
        return "nearly as stored"
    if isinstance(code, RangeCode):
        return f"intervals of about {glm:.0%} of the range"
    return f"{'groups' if isinstance(code, TreeCode) else 'sets'} of about {glm:.0%} of the values"


def described_alternatives(
    attributes: Sequence[Attribute], metric: str, best: Verdict, others: Sequence[Verdict], ranked: Sequence[Node]
) -> list[dict[str, Any]]:
    """Alternatives with what differs from the choice. `choose`: the number for `--choose`, where the search itself saw it."""
    places = {node: place for place, node in enumerate(ranked, start=1)}
    described = []
    for verdict in others:
        differs = [
            {
                "column": attribute.name,
                "level": level,
                "published": meaning(attribute.levels[level]),
                "instead_of": meaning(attribute.levels[chosen]),
                "finer": level < chosen,
                "keeps": level < chosen == attribute.star,
            }
            for attribute, level, chosen in zip(attributes, verdict.node, best.node, strict=True)
            if level != chosen
        ]
        described.append(
            {
                "node": {attribute.name: level for attribute, level in zip(attributes, verdict.node, strict=True)},
                "k": verdict.k,
                "suppressed": verdict.suppressed,
                "metric": metric,
                "loss": verdict.loss,
                "more": (verdict.loss or 0.0) - (best.loss or 0.0),
                "differs": differs,
                "choose": places.get(verdict.node),
            }
        )
    return described


def _text(value: object) -> str | None:
    return None if value is None else str(value)
