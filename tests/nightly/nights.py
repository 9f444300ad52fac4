"""A table that changes every night, its job file, and what must hold of the database after every night."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.support import execute, fetch, make_table

K = 4
COLUMNS = ["id integer", "age integer", "zip varchar(5)", "pay integer"]


def people(count: int, start: int = 0) -> list[tuple[int, int, str, int]]:
    """Persons numbered from `start`: few ages and places, so that classes are large enough to live with."""
    return [(i, 20 + i % 4, f"8{i // 4 % 3}0", i % 11) for i in range(start, start + count)]


def write_job(directory: Path, url: str, **sections: Any) -> Path:
    document: dict[str, Any] = {
        "version": 1,
        "source": {"url": url, "table": "people", "person": "id"},
        "privacy": {"k": K},
        "columns": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "levels": [5, 10, "*"]},
            "zip": {"role": "quasi", "levels": [{"prefix": 2}, {"prefix": 1}, "*"]},
            "pay": {"role": "keep"},
        },
        "search": {"algorithm": "exhaustive"},
        "publish": {"table": "release.people", "keep": 2},
    }
    for name, section in sections.items():
        document[name] = document.get(name, {}) | section
    file = directory / "job.yml"
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return file


def fill(url: str, count: int = 240) -> None:
    make_table(url, "people", COLUMNS, people(count))


def change(url: str, night: int) -> None:
    """Some rows in, some out, some changed."""
    values = ", ".join(str(row) for row in people(3, 1000 + 10 * night))
    execute(
        url,
        f"insert into people values {values}",
        f"delete from people where id in ({night * 3 % 240}, {(night * 3 + 1) % 240})",
        f"update people set pay = pay + 1 where id % 7 = {night % 7}",
    )


def tables_of(url: str, schema: str) -> list[str]:
    rows = fetch(url, f"select table_name from information_schema.tables where table_schema = '{schema}' order by 1")
    return [str(name) for (name,) in rows]


def ledger(url: str, what: str, columns: str = "*") -> list[tuple[Any, ...]]:
    """Rows of the one ledger of a database: its people, cells or nights."""
    (table,) = [name for name in tables_of(url, "kanon_ledger") if name.startswith(f"{what}_")]
    return fetch(url, f"select {columns} from kanon_ledger.{table}")


def state_of(url: str) -> dict[str, Any]:
    """The release as a reader sees it, and the source."""
    return {
        "release": fetch(url, "select count(*), min(pay), max(pay), count(distinct age) from release.people")[0],
        "source": fetch(url, "select count(*), sum(id), sum(age), sum(pay) from people")[0],
    }


def check_clean(url: str, keep: int = 2) -> None:
    """After a good run: nothing of a killed one is left, at most `keep` old releases, each registered."""
    kept = fetch(url, "select release_table from kanon.releases where state <> 'dropped' order by version")
    tables = [name for name in tables_of(url, "release") if name != "people"]
    assert sorted(tables) == sorted(str(name).split(".")[-1] for (name,) in kept)
    assert len(tables) <= keep + 1
    assert fetch(url, "select count(*) from kanon.runs where status = 'running'") == [(0,)]
    assert fetch(url, "select count(*) from kanon.releases where state = 'current'") == [(1,)]
    if url.startswith("postgres"):
        work = [name for name in tables_of(url, "kanon_work") if not name.startswith("kept_")]
        assert work == []
    sizes = fetch(url, "select count(*) from release.people group by age, zip")
    assert min(size for (size,) in sizes) >= K
