"""A small world of people whose groups are kept from night to night, and an attacker who holds every release and counts in plain Python."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kanon_sql.backends.connect import open_backend
from kanon_sql.config import Job
from kanon_sql.sql.statement import Statement
from tests.cluster.people import CITIES
from tests.support import fetch, job_of

K = 4
JOBS = ("smith", "clerk", "nurse, night", "cook", "pilot")
COUNTRIES = ("CH", "FR", "DE")
TYPES = [
    "id integer",
    "age integer",
    "income decimal(6, 1)",
    "city varchar(20)",
    "job varchar(20)",
    "illness varchar(20)",
    "seen integer",
]
QUASI = ("age", "income", "city", "job")
COLUMNS: dict[str, Any] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi"},
    "income": {"role": "quasi"},
    "city": {
        "role": "quasi",
        "groups": [{c: [x for x, y in CITIES.items() if y == c] for c in COUNTRIES}, "*"],
    },
    "job": {"role": "quasi"},
    "illness": {"role": "sensitive"},
    "seen": {"role": "keep"},
}
"""`seen` is the person's number: the tests look over everybody's shoulder."""

Row = tuple[int, int | None, str | None, str, str | None, str, int]
Labels = tuple[str | None, ...]


@dataclass
class World:
    """People by number; some persons have several rows where `rows` says so."""

    chosen: random.Random
    people: dict[int, list[Row]] = field(default_factory=dict)
    last: int = 0

    def row(self, number: int) -> Row:
        one = self.chosen
        income = f"{one.randint(2, 18) / 2:.1f}" if one.random() > 0.05 else None
        job = one.choice(JOBS) if one.random() > 0.05 else None
        return (
            number,
            one.randint(18, 60),
            income,
            one.choice(list(CITIES)),
            job,
            one.choice(("flu", "cold", "ulcer")),
            number,
        )

    def arrive(self, count: int, rows: int = 1) -> None:
        for _ in range(count):
            self.last += 1
            self.people[self.last] = [self.row(self.last) for _ in range(self.chosen.randint(1, rows))]

    def leave(self, count: int) -> None:
        for number in self.chosen.sample(sorted(self.people), min(count, len(self.people))):
            del self.people[number]

    def change(self, count: int) -> set[int]:
        changed = set(self.chosen.sample(sorted(self.people), min(count, len(self.people))))
        for number in sorted(changed):
            self.people[number][0] = self.row(number)
        return changed

    def rows(self) -> list[Row]:
        return [row for rows in self.people.values() for row in rows]


def load(url: str, rows: Iterable[Row]) -> None:
    """The table as it is tonight."""

    def literal(value: object) -> str:
        if value is None:
            return "null"
        text = str(value)
        return text if text.replace(".", "").isdigit() else f"'{text}'"

    values = ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in rows)
    backend = open_backend(url, Path.cwd(), read_only=False)
    try:
        backend.drop_table(backend.relation("people"))
        backend.execute(Statement("test", f"create table people ({', '.join(TYPES)})"))
        backend.execute(Statement("test", f"insert into people values {values}"))
    finally:
        backend.close()


def kept_job(url: str, base: Path, algorithm: str = "mondrian", **sections: Any) -> Job:
    sections = {"source": {"person": "id"}, "search": {"algorithm": algorithm}} | sections
    sections["privacy"] = {"accept": ["nearly_unique_columns", "published_combinations"]} | sections.get("privacy", {})
    return job_of(url, "people", COLUMNS, K, base, **sections)


def published(url: str) -> list[tuple[int, Labels, str]]:
    """(person, labels, illness) of every published row."""
    found = fetch(url, f"select seen, {', '.join(QUASI)}, illness from release.people")
    return [(int(row[0]), tuple(row[1:-1]), str(row[-1])) for row in found]


def covers(label: str | None, value: object) -> bool:
    """Whether a published label tells the truth about a value."""
    if label == "*":
        return True
    text = None if value is None else str(value)
    if label is None or text is None:
        return (label is None and text is None) or (text is None and str(label).endswith(" or NULL"))
    bare = label.removesuffix(" or NULL")
    if bare == text or CITIES.get(text) == bare:
        return True
    if bare.startswith("["):
        low, high = bare[1:-1].split("-")
        return float(low) <= float(text) <= float(high)
    return bare.startswith("{") and text.replace(",", "\\c") in bare[1:-1].split(", ")


class Attacker:
    """Holds every release, and knows who is in the table and when."""

    def __init__(self, k: int = K) -> None:
        self.k = k
        self.nights = 0
        self.trails: dict[int, list[Labels | None]] = defaultdict(list)

    def read(self, rows: Iterable[tuple[int, Labels, str]]) -> None:
        """One night; of a person with several rows any one."""
        seen = {number: labels for number, labels, _ in rows}
        for number in {*self.trails, *seen}:
            trail = self.trails[number]
            trail += [None] * (self.nights - len(trail))
            trail.append(seen.get(number))
        self.nights += 1

    def singled_out(self) -> list[int]:
        """Persons published tonight with whom fewer than k stand.

        With a person stand those of one cell (the same trail, all nights) of k or more that was in this class as long as the person was.
        """
        cells = Counter(tuple(trail) for trail in self.trails.values())
        strong = [trail for trail, count in cells.items() if count >= self.k]
        found = []
        for number, trail in self.trails.items():
            if trail[-1] is None:
                continue
            since = self.nights
            while since and trail[since - 1] == trail[-1]:
                since -= 1
            if not any(all(other[night] == trail[-1] for night in range(since, self.nights)) for other in strong):
                found.append(number)
        return found
