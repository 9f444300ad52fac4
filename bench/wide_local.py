"""Local recodings of a wide table with hierarchies: python -m bench.wide_local. Plans of whole processes, in CPU seconds.

The table is <name>.csv with a hierarchy_<column>.csv for every column, in the directory --data (../shared/data/mach2019 beside the checkout).
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
from pathlib import Path

import yaml

from bench.measure import measure, print_table

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "mach2019"
SECONDS = 3000.0
HEADER = ("algorithm", "k", "glm", "groups", "CPU s", "wall s", "peak MiB")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.wide_local", description=__doc__)
    parser.add_argument("--data", type=Path, default=BESIDE)
    parser.add_argument("--algorithms", nargs="+", default=["auto", "anneal", "bottom-up", "mondrian"])
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key of the job")
    given = parser.parse_args()
    table = next((file for file in sorted(given.data.glob("*.csv")) if not file.name.startswith("hierarchy_")), None)
    if table is None:
        raise SystemExit(f"there is no table in {given.data}: name its directory by --data")
    with table.open(encoding="utf-8") as lines:
        columns = next(csv.reader(lines))
    document = {
        "version": 1,
        "source": {"file": str(table.resolve())},
        "columns": {
            name: {"role": "quasi", "hierarchy": str((given.data / f"hierarchy_{name}.csv").resolve())}
            for name in columns
        },
        "privacy": {"k": given.k},
        "utility": {"metric": "glm"},
        "search": {"algorithm": "auto"},
    }
    rows = []
    with tempfile.TemporaryDirectory(prefix="wide_local_") as folder:
        job = Path(folder) / "wide.job.yml"
        job.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
        for algorithm in given.algorithms:
            settings = [f"search.algorithm={algorithm}", *given.set]
            command = [sys.executable, "-m", "kanon_sql", "plan", str(job), "--json", "--quiet"]
            run = measure([*command, *(part for s in settings for part in ("--set", s))], SECONDS)
            if run.exit_code:
                raise SystemExit(f"exit code {run.exit_code}\n{run.errors[-2000:]}")
            found = json.loads(run.output)
            rows.append(
                (
                    algorithm,
                    str(given.k),
                    f"{found['utility']['glm']:.4f}",
                    f"{found['groups']:,}",
                    f"{run.cpu:.1f}",
                    f"{run.wall:.0f}",
                    f"{run.peak_mebibytes:,.0f}",
                )
            )
    print_table(f"{table.name}, whole processes", HEADER, rows)


if __name__ == "__main__":
    main()
