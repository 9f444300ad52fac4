"""kanon export: the release as a Parquet or CSV file, with its codebook."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.flows.session import reading, register_of
from kanon_sql.frozen import dataclass
from kanon_sql.model.levels import meaning
from kanon_sql.observer import Observer
from kanon_sql.pages.written_file import check_place, write_file
from kanon_sql.release.codebook import codebook, codebook_text
from kanon_sql.release.previous_release import previous_release
from kanon_sql.release.verify import verify
from kanon_sql.results import Result
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.workbench import Workbench

FORMATS = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv"}
GROUPS = "what the rows of a group have in common"


@dataclass(frozen=True)
class Exported(Result):
    """The files, and the release they hold."""

    file: Path
    codebook: Path
    release: str
    version: int
    rows: int
    k: int

    def to_dict(self) -> dict[str, Any]:
        return vars(self) | {"file": str(self.file), "codebook": str(self.codebook)}


def export(job: Job, out: Path | str, observer: Observer | None = None, *, force: bool = False) -> Exported:
    """Write the current release to a file, whole or not at all, once it verifies; the codebook lies beside it.

    The ending of `out` says the format: .parquet or .csv. The codebook is <out>.codebook.csv.
    """
    observer = observer or Observer()
    out = Path(out)
    format = FORMATS.get(out.suffix.lower())
    if format is None:
        raise JobError(f"cannot tell the format of {out}", "end its name in .parquet or .csv")
    book = out.with_name(out.name + ".codebook.csv")
    for place in (out, book):
        check_place(place)
        if place.exists() and not force:
            raise JobError(f"{place} is there already", "--force overwrites it, --out names another file")
    with register_of(job, observer) as register:
        previous = previous_release(register, job.name) if register.readable() else None
    if previous is None:
        raise JobError(f"{job.name} has no release yet", "`kanon run JOB` publishes one")
    with reading(job, observer, file_database=True) as bench:
        bench.open_source()
        backend = bench.backend
        release = backend.relation(previous.release.table)
        observer.step("verifying the release")
        columns = backend.describe(release)
        quasi = previous.quasi_columns(job)
        verified = verify(backend, release, quasi, job.privacy.k, previous.release.rows)
        observer.step("writing the file")
        sql = f"select * from {backend.dialect.relation(release)}"
        fresh = out.with_name(f".kanon-{secrets.token_hex(8)}{out.suffix}")
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            backend.export(Statement("release/export", sql), fresh, format, columns)
            lines = codebook(backend, job, release, _meanings(bench, previous.run.node))
            os.replace(fresh, out)
        finally:
            with suppress(OSError):
                fresh.unlink()
    write_file(book, codebook_text(lines))
    return Exported(out, book, job.name, previous.release.version, verified.rows, verified.min_class)


def _meanings(bench: Workbench, node: Any) -> dict[str, str]:
    if node is None:
        return {attribute.name: GROUPS for attribute in bench.attributes}
    return {
        attribute.name: meaning(attribute.levels[int(node[attribute.name])])
        for attribute in bench.attributes
        if attribute.name in node
    }
