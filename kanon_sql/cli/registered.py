"""What the commands about the register share: which register is meant, by a job file, a URL or the folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kanon_sql.config.schema import Job

JobArgument = Annotated[
    Path | None,
    typer.Argument(metavar="JOB", help="The job file whose register is meant; default: the one in this folder."),
]
Url = Annotated[str | None, typer.Option("--url", help="The database that holds the register, instead of a job file.")]
Schema = Annotated[str, typer.Option("--schema", help="The register's schema, with --url.")]


def named_register(job: Path | None, url: str | None, overrides: list[str]) -> tuple[Job | None, str | None]:
    """The job or the URL that names the register."""
    from kanon_sql.config.load import load_job

    if job is not None and url is not None:
        raise typer.BadParameter("name either a job file or --url, not both")
    if job is None and url is None:
        job, url = _default()
    return (None if job is None else load_job(job, overrides)), url


def _default() -> tuple[Path | None, str | None]:
    """What is meant when neither is named: KANON_REGISTER, KANON_URL, or the one job file in this folder."""
    if url := os.environ.get("KANON_REGISTER") or os.environ.get("KANON_URL"):
        return None, url
    return only_job(), None


def only_job() -> Path:
    """The one job file in this folder."""
    files = [file for pattern in ("*.yml", "*.yaml") for file in Path.cwd().glob(pattern) if _is_job(file)]
    if len(files) == 1:
        return files[0]
    found = f"are {len(files)} job files" if files else "is no job file"
    raise typer.BadParameter(f"there {found} in this folder: name a job file, or --url")


def _is_job(file: Path) -> bool:
    text = file.read_text(encoding="utf-8", errors="replace")
    return all(re.search(rf"^{key}:", text, re.MULTILINE) for key in ("version", "source", "privacy", "columns"))
