"""kanon init: read a table and write a commented job file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kanon_sql.config.load import load_job
from kanon_sql.errors import JobError
from kanon_sql.frozen import dataclass
from kanon_sql.model.names import split_name
from kanon_sql.onboarding.draft import DEFAULT_K, Request, draft_job
from kanon_sql.onboarding.job_text import Draft, job_text
from kanon_sql.pages.written_file import check_place, write_file
from kanon_sql.results import Result


@dataclass(frozen=True)
class DraftedJob(Result):
    """A first job file: its text, the guesses in it, and the file it was written to, if it was."""

    text: str
    draft: Draft
    file: Path | None

    @property
    def roles(self) -> dict[str, int]:
        """How many columns got which role."""
        guessed = [column.guess.role for column in self.draft.columns]
        return {role: guessed.count(role) for role in ("identifier", "quasi", "sensitive", "drop")}

    def records(self) -> list[dict[str, Any]]:
        """One row per column: the role guessed, and why."""
        return [{"column": name} | column for name, column in self.to_dict()["columns"].items()]

    def to_dict(self) -> dict[str, Any]:
        columns = {
            column.name: {"role": column.guess.role, "why": column.guess.why, "levels": list(column.levels)}
            for column in self.draft.columns
        }
        file = None if self.file is None else str(self.file)
        singling = self.draft.singling_out
        return {
            "job": file,
            "k": self.draft.k,
            "nodes": self.draft.lattice_size,
            "columns": columns,
            "singled_out": None if singling is None else singling.to_dict(),
        }


def init(
    *,
    url: str | None = None,
    table: str | None = None,
    file: Path | str | None = None,
    output: Path | str | None = None,
    k: int = DEFAULT_K,
    force: bool = False,
    write: bool = True,
) -> DraftedJob:
    """Draft the job file of a table (with its `url`) or of a file: roles guessed, levels proposed, every guess marked.

    `output` is named after the table unless given; `force` overwrites it; `write=False` only drafts.
    """
    if table is None and file is None:
        raise JobError("name a table and its URL, or a file")
    stem = split_name(table)[-1] if table is not None else Path(str(file)).stem
    target = Path(output) if output is not None else Path(f"{stem}.yml".replace("/", "_"))
    if write and target.exists() and not force:
        raise JobError(f"{target} is there already", "--force overwrites it, --output names another file")
    if write:
        check_place(target)
    draft = draft_job(Request(target, url, table, Path(file) if file is not None else None, k))
    text = job_text(draft)
    if write:
        write_file(target, text)
        if "${KANON_URL}" not in text:
            load_job(target)  # what we write, we can read
    return DraftedJob(text, draft, target if write else None)
