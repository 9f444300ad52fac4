"""Every measure of what a release loses or keeps: the one place to add one.

A measure is one file in metrics/, which says how it is computed, and one entry here, which says what is known of it. The job file's
schema, the searches, `kanon plan`, `score` and `compare`, the pages and docs/job-file.md follow this table.
"""

from __future__ import annotations

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class Measure:
    """`module` holds the computation under the name MEASURE (see metrics/measure.py); it is imported when it is wanted.

    `title` and `reading`: how a page names the figure and how it is to be read; `about`: what it is, with its source.
    `separable`: a sum over attributes while nothing is suppressed. `monotone`: generalizing never lowers the loss while nothing is
    suppressed; `monotone_with_suppression`: nor otherwise. `more_is_better`: the direction.
    `searched`: utility.metric may name it. `compared`: `kanon compare` shows it. `needs_target`: only where the job has utility.target.
    `logarithmic`: a chart draws it so.
    """

    module: str
    title: str
    reading: str
    about: str
    separable: bool = False
    monotone: bool = True
    monotone_with_suppression: bool = False
    more_is_better: bool = False
    searched: bool = True
    compared: bool = True
    needs_target: bool = False
    logarithmic: bool = False

    @property
    def direction(self) -> str:
        return "more is better" if self.more_is_better else "less is better"


_METRICS = "kanon_sql.metrics."

MEASURES: dict[str, Measure] = {
    "rv": Measure(
        _METRICS + "research_value",
        "Research value (RV)",
        "what is left for the researcher",
        "research value, with the job's weights and rules (thesis)",
        separable=True,
        more_is_better=True,
        compared=False,
    ),
    "rv_by_rows": Measure(
        _METRICS + "research_value_by_rows",
        "Research value, row by row",
        "what is left for the researcher, comparable between all algorithms",
        "research value of every published cell, averaged over rows",
        separable=True,
        more_is_better=True,
        searched=False,
    ),
    "ncp": Measure(
        _METRICS + "ncp",
        "Certainty penalty (NCP)",
        "mean over all cells, 0 to 1",
        "normalized certainty penalty, searched with the job's weights (Xu et al. 2006)",
        separable=True,
    ),
    "weighted_ncp": Measure(
        _METRICS + "weighted_ncp",
        "Certainty penalty, weighted",
        "with the job's weights",
        "normalized certainty penalty with the job's weights (Xu et al. 2006)",
        separable=True,
        searched=False,
        compared=False,
    ),
    "glm": Measure(
        _METRICS + "glm",
        "Generalised loss (GLM)",
        "0 is the source, 1 is nothing but *",
        "general loss metric: mean share of the domain that a cell's label covers (Iyengar 2002)",
        separable=True,
    ),
    "entropy": Measure(
        _METRICS + "entropy",
        "Entropy loss",
        "share of the information lost",
        "non-uniform entropy: share of the information lost (Gionis and Tassa 2009)",
        separable=True,
    ),
    "height": Measure(
        _METRICS + "height",
        "Height",
        "the sum of levels",
        "sum of levels (Samarati 2001)",
        separable=True,
        monotone_with_suppression=True,
        compared=False,
    ),
    "discernibility": Measure(
        _METRICS + "discernibility",
        "Discernibility",
        "how many rows each row is confused with, summed",
        "|E|² per kept class, N per suppressed row (Bayardo and Agrawal 2005)",
        logarithmic=True,
    ),
    "c_avg": Measure(
        _METRICS + "c_avg",
        "Average class size / k",
        "1 is the least possible",
        "average class size over k (LeFevre et al. 2006)",
    ),
    "average_class_size": Measure(
        _METRICS + "average_class_size",
        "Average class size",
        "rows per class",
        "released rows per class (LeFevre et al. 2006)",
        compared=False,
    ),
    "classification": Measure(
        _METRICS + "classification",
        "Classification error",
        "share of rows that are not of their class's majority",
        "rows suppressed or not of their class's majority target (Iyengar 2002)",
        needs_target=True,
    ),
}


def searched_measures() -> list[str]:
    """What `utility.metric` may say."""
    return [name for name, measure in MEASURES.items() if measure.searched]
