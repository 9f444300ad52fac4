"""A small seeded table with numbers, words, a hierarchy, NULLs and a sensitive column, and what its release must satisfy."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

from kanon_sql.config import Job
from tests.support import fetch, job_of, make_table

CITIES = {
    "Bern": "CH",
    "Zug": "CH",
    "Basel": "CH",
    "Lyon": "FR",
    "Paris": "FR",
    "Nice": "FR",
    "Ulm": "DE",
    "Kiel": "DE",
}
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi"},
    "income": {"role": "quasi"},
    "city": {
        "role": "quasi",
        "groups": [{c: [x for x, y in CITIES.items() if y == c] for c in ("CH", "FR", "DE")}, "*"],
    },
    "job": {"role": "quasi"},
    "illness": {"role": "sensitive"},
    "note": {"role": "keep"},
}


def people(rows: int = 240, seed: int = 1) -> list[tuple[object, ...]]:
    chosen = random.Random(seed)
    jobs = ["smith", "clerk", "nurse, night", "cook", "pilot"]
    return [
        (
            chosen.randint(18, 80),
            round(chosen.uniform(1, 9), 1) if chosen.random() > 0.05 else None,
            chosen.choice(list(CITIES)),
            chosen.choice(jobs) if chosen.random() > 0.05 else None,
            chosen.choice(["flu", "cold", "asthma", "ulcer"]),
            number % 7,
        )
        for number in range(rows)
    ]


def load(url: str, rows: list[tuple[object, ...]]) -> None:
    types = ["age integer", "income decimal(6, 1)", "city varchar(20)", "job varchar(20)", "illness varchar(20)"]
    make_table(url, "people", [*types, "note integer"], rows)


def job(url: str, algorithm: str, k: int = 4, base: Path | None = None, **sections: Any) -> Job:
    columns = {name: dict(spec) for name, spec in COLUMNS.items()}
    for name, more in sections.pop("columns", {}).items():
        columns[name] |= more
    sections["search"] = {"algorithm": algorithm} | sections.get("search", {})
    return job_of(url, "people", columns, k, base, **sections)


def released(url: str, columns: str = "age, income, city, job") -> list[tuple[object, ...]]:
    return fetch(url, f"select {columns} from release.people")


def smallest_class(rows: list[tuple[object, ...]]) -> int:
    return min(Counter(rows).values())
