"""The comparison of algorithms as one page: a table with the winner of each measure, and each measure against k."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.model.measures import MEASURES
from kanon_sql.pages import charts
from kanon_sql.pages.page import render_page, write_page
from kanon_sql.version import VERSION

if TYPE_CHECKING:
    from kanon_sql.evaluate.compare import Comparison

BESIDES = {
    "suppressed": ("Rows left out", "less is better"),
    "count_error": ("COUNT queries: mean relative error", "answered from the release as if uniform; less is better"),
    "sum_error": ("SUM queries: mean relative error", "answered from the release as if uniform; less is better"),
    "checks": ("Checks", "nodes the database grouped by; rounds of a local recoding"),
    "statements": ("Statements", "sent to the database by the search"),
    "seconds": ("Seconds", "of the search, on the machine that wrote this page"),
}
NOT_DRAWN = frozenset({"statements"})


def write_comparison(comparison: Comparison, path: Path, *, title: str, job: str, about: str = "") -> None:
    """Write the page of a comparison."""
    write_page(path, comparison_page(comparison, title=title, job=job, about=about))


def comparison_page(comparison: Comparison, *, title: str, job: str, about: str = "") -> str:
    """The page's HTML."""
    measures = comparison.measures
    titles = {name: (measure.title, f"{measure.reading}; {measure.direction}") for name, measure in MEASURES.items()}
    titles |= BESIDES
    logarithmic = {name for name, measure in MEASURES.items() if measure.logarithmic} | {"checks", "statements"}
    drawn: dict[str, Any] = {}
    for measure in measures:
        rows = [
            {"algorithm": row.algorithm, "k": row.asked_k, "value": row.value(measure)}
            for row in comparison.rows
            if row.value(measure) is not None
        ]
        positive = all(float(str(row["value"])) > 0 for row in rows)
        if measure not in NOT_DRAWN and rows:
            logarithm = measure in logarithmic and positive
            drawn[measure] = charts.comparison_chart(rows, measure, titles[measure][0], logarithm)
    best = {(k, measure): comparison.winners(k, measure) for k in comparison.ks for measure in measures}
    return render_page(
        "comparison.html.j2",
        drawn,
        title=title,
        job=job,
        about=about,
        comparison=comparison,
        measures=measures,
        titles=titles,
        best=best,
        drawn=list(drawn),
        version=VERSION,
    )
