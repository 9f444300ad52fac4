"""kanon diff: two releases of a job side by side."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.flows.session import register_of, require_register
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.release.entries import ReleaseEntry
from kanon_sql.results import Result


@dataclass(frozen=True)
class Difference(Result):
    """Two releases side by side; `recode` names the columns whose level changed, with both levels."""

    a: ReleaseEntry
    b: ReleaseEntry
    recode: dict[str, list[int | None]]
    figures: dict[str, list[Any]]
    utility: dict[str, list[float | None]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
            "recode": self.recode,
            **self.figures,
            "utility": self.utility,
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per thing compared."""
        return [{"": name, "a": a, "b": b} for name, a, b in self.table()]

    def table(self) -> list[list[object]]:
        """One line per thing compared."""
        lines: list[list[object]] = [
            ["published (UTC)", f"{self.a.published:%Y-%m-%d %H:%M}", f"{self.b.published:%Y-%m-%d %H:%M}"],
            ["state", self.a.state, self.b.state],
        ]
        lines += [[name, *values] for name, values in self.figures.items()]
        lines += [[name, *values] for name, values in self.utility.items()]
        lines += [[f"level of {column}", *levels] for column, levels in self.recode.items()]
        return lines


def diff(job: Job, a: int, b: int, observer: Observer | None = None) -> Difference:
    """Two releases of a job compared, by what the register knows of their runs."""
    with register_of(job, observer or Observer()) as register:
        require_register(register, "no release")
        found = {release.version: release for release in register.releases(job.name)}
        for version in (a, b):
            if version not in found:
                raise JobError(f"{job.name} has no version {version}", "`kanon history JOB` lists the releases")
        runs = [register.show(found[version].run) for version in (a, b)]
    nodes = [run.node or {} for run in runs]
    columns = list(dict.fromkeys([*nodes[0], *nodes[1]]))
    levels = {column: [node.get(column) for node in nodes] for column in columns}
    recorded = [run.figures or {} for run in runs]
    utility = [figures.get("utility") or {} for figures in recorded]
    measures = dict.fromkeys([*utility[0], *utility[1]])
    return Difference(
        found[a],
        found[b],
        {column: pair for column, pair in levels.items() if pair[0] != pair[1]},
        {
            "k": [found[a].k, found[b].k],
            "rows": [found[a].rows, found[b].rows],
            **{key: [figures.get(key) for figures in recorded] for key in ("suppressed", "classes", "algorithm")},
        },
        {measure: [values.get(measure) for values in utility] for measure in measures},
    )
