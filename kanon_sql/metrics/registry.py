"""The measures by the names a job file may give them, and what a search may assume of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """`separable`: a sum over attributes while nothing is suppressed. `monotone`: generalizing never lowers the loss while nothing is
    suppressed; `monotone_with_suppression`: nor otherwise. `per_class`: computed from class sizes alone, not from labels.
    `best`: whether a small or a large figure is the better one.
    """

    about: str
    separable: bool
    monotone: bool
    monotone_with_suppression: bool
    per_class: bool
    best: str = "small"


MEASURES: dict[str, Measure] = {
    "rv": Measure("research value, with the job's weights and rules (thesis)", True, True, False, False, "large"),
    "ncp": Measure("normalized certainty penalty, weighted (Xu et al.)", True, True, False, False),
    "glm": Measure("general loss metric (Iyengar)", True, True, False, False),
    "entropy": Measure("non-uniform entropy: share of the information lost", True, True, False, False),
    "height": Measure("sum of levels (Samarati)", True, True, True, False),
    "discernibility": Measure("|E|² per kept class, N per suppressed row", False, True, False, True),
    "c_avg": Measure("average class size over k (LeFevre et al.)", False, True, False, True),
    "average_class_size": Measure("released rows per class", False, True, False, True),
    "classification": Measure(
        "rows suppressed or not of their class's majority target (Iyengar)", False, True, False, True
    ),
}
