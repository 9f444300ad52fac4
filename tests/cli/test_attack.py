"""`kanon attack` as a user types it: a release of the job holds, a leak exits 1, a missing release exits 3."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.cli.kanon import kanon
from tests.support import execute, make_table


def test_attack(duckdb_url: str, tmp_path: Path) -> None:
    rows = [(20 + number % 4, "flu" if number % 2 else "ulcer") for number in range(40)]
    make_table(duckdb_url, "people", ["age integer", "ill varchar"], rows)
    job = tmp_path / "job.yml"
    document = {
        "version": 1,
        "source": {"url": duckdb_url, "table": "people"},
        "privacy": {"k": 5, "l_diversity": {"ill": {"kind": "distinct", "l": 2}}},
        "columns": {"age": {"role": "quasi", "levels": [2, "*"]}, "ill": {"role": "sensitive"}},
        "publish": {"table": "release.people"},
    }
    job.write_text(yaml.safe_dump(document))
    missing = kanon("attack", job)
    assert missing.code == 3
    assert "--release" in missing.err
    ran = kanon("run", job, "--json")
    assert ran.code == 0, ran.err
    assert {model["label"]: model["passes"] for model in ran.json["verified"]["models"]} == {
        "distinct l-diversity of ill, l = 2": True
    }
    assert all(guard["status"] == "passed" for guard in ran.json["guards"])
    assert {"prosecutor", "journalist", "marketer"} <= set(ran.json["risk"])
    assert ran.json["guarantees"][0]["guarantee"].startswith("Every combination of the quasi-identifiers")
    held = kanon("attack", job, "--json")
    assert held.code == 0, held.err
    assert held.json["passes"]
    assert held.json["linkage"]["rows_below_k"] == 0
    execute(duckdb_url, "create table leak as select age, ill from people limit 3")
    leaked = kanon("attack", job, "--release", "leak")
    assert leaked.code == 1
    assert "does not hold" in leaked.out
    checked = kanon("check", job, "--table", "release.people", "--json")
    assert checked.code == 0
    assert checked.json["l"] == {"ill": 2}
