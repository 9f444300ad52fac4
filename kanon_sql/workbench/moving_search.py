"""Whether a search moves to the embedded engine, with codes and counts alone (docs/database.md says what leaves)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kanon_sql.workbench.workbench import Workbench


def why_search_stays(bench: Workbench) -> str | None:
    """Why the counts stay in the database (empty: nothing to tell); none when they may go."""
    search = bench.job.search
    if search.embedded == "never" or bench.backend.capabilities.embedded:
        return ""
    if bench.counts_persons:
        return "persons have several rows, and their keys do not leave it"
    if bench.job.privacy.population is not None:
        return "the population is there"
    if search.embedded == "auto" and bench.combinations > search.embedded_limit:
        return "the base frequency set is larger than search.embedded_limit"
    return None
