"""What releases give away together: the verdict on a night, why there is none, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from kanon_sql.backends.rows import Row
from kanon_sql.config.schema import Job
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted, listed_versions

WAYS_OUT = (
    "keep last night's recoding (search.reuse), generalize further than it, let more rows be left out (privacy.suppression), "
    'or publish knowingly: --accept-composition "why"; --rebase "why" begins anew for everybody'
)
OF_GROUPS = (
    "groups are made anew every night: keep them (search.reuse), publish once, or use a lattice search whose recoding is kept, "
    'or publish knowingly: --accept-composition "why"; --rebase "why" begins anew for everybody'
)

OF_KEPT_GROUPS = (
    "let more rows be left out (privacy.suppression): a group of which a few people come or go is withheld whole; "
    'or publish knowingly: --accept-composition "why"; --rebase "why" begins anew for everybody'
)


@dataclass(frozen=True)
class Composition:
    """What the guard found. `below` counts, per kind of candidate set, the persons in sets smaller than k."""

    status: str
    message: str
    versions: list[int] = field(default_factory=list)
    changed: bool = False
    smallest: int | None = None
    sets_below: int = 0
    below: dict[str, int] = field(default_factory=dict)
    poor_sets: dict[str, int] = field(default_factory=dict)
    accepted: dict[str, str] | None = None
    rebased: dict[str, str] | None = None
    night: dict[str, int] = field(default_factory=dict)
    """Persons who stayed, joined (moved: of these, to another class), left, wait and are retired; withheld: rows left out."""
    jobs: list[str] = field(default_factory=list)
    """Other jobs whose releases of the same people were put together with this one's."""
    audience: str | None = None

    def to_dict(self) -> dict[str, object]:
        return {key: value for key, value in vars(self).items() if value is not None}

    @property
    def withheld(self) -> int:
        """The rows that are left out."""
        return self.night.get("withheld", 0)


def off(job: Job) -> Composition | None:
    """Why the guard is off, where it is."""
    assert job.publish is not None
    if job.publish.guard == "never":
        return Composition("off", "composition guard: off (publish.guard)")
    if job.source.person is None:
        return Composition("off", "composition guard: off, because the job names no person key (source.person)")
    return None


def in_words(
    k: int, figures: dict[str, int], below: dict[str, int], sets_below: int, versions: list[int], others: list[str]
) -> str:
    """What was found, in one sentence: who stayed, joined, left and is left out, and why."""
    with_what = f" together with {listed_versions(versions[-12:])}" if versions else ""
    if others:
        with_what += f"{' and' if versions else ' together with'} releases of {', '.join(others)}"
    people = sum(below.values())
    if not below:
        message = f"no candidate set below k = {k}{with_what}"
    else:
        kinds = ", ".join(f"{count:,} who {kind}" for kind, count in below.items())
        message = (
            f"{with_what.removeprefix(' ')}, {counted(people, 'person', 'people')} {'is' if people == 1 else 'are'} in "
            f"{counted(sets_below, 'candidate set')} below k = {k} ({kinds})"
        ).removeprefix(", ")
    if versions:
        message += (
            f"; {figures['stayed']:,} stayed, {figures['joined']:,} joined, {figures['left']:,} left, "
            f"{figures['waiting']:,} wait, {figures['retired']:,} are retired"
        )
    return message


@dataclass(frozen=True)
class PeopleTonight:
    """Persons by what becomes of them (`figures`), and those in candidate sets below k, by kind (`below`)."""

    figures: dict[str, int]
    below: dict[str, int]
    sets_below: int
    smallest: int | None


def people_of(rows: Sequence[Row]) -> PeopleTonight:
    """What the outcomes of a night say of persons, one row per kind of outcome."""
    figures = dict.fromkeys(("stayed", "joined", "moved", "left", "waiting", "retired", "withheld"), 0)
    below: dict[str, int] = {}
    sets_below = 0
    for row in rows:
        persons = int(row.persons)
        if row.how == "withheld":
            kind = "retired" if int(row.stayed) else "waiting"
            below_kind = "stayed" if int(row.stayed) or not int(row.new) else "joined"
            figures[kind] += persons
            below[below_kind] = below.get(below_kind, 0) + persons
            sets_below += int(row.batches)
        elif row.how == "stays":
            figures["stayed"] += persons
        else:
            figures["joined"] += persons
            figures["moved"] += persons if int(row.moved) else 0
    return PeopleTonight(figures, below, sets_below, min((int(row.smallest) for row in rows), default=None))
