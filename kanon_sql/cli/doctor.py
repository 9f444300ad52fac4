"""The command that looks before a run: doctor."""

from __future__ import annotations

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, print_json


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(job: JobFile, set_: Set = [], json: Json = False, debug: Debug = False) -> None:  # noqa: B006
    """Connect and look: versions, grants, space, columns, values. One line each; exit 3 (job) or 4 (database) if one fails."""
    from kanon_sql.config.load import load_job
    from kanon_sql.doctor.examine import examine
    from kanon_sql.doctor.findings import Finding

    def line(finding: Finding) -> None:
        print(f"{finding.status:<4}  {finding.check:<12} {finding.message}")
        if finding.hint:
            print(f"{'':19}-> {finding.hint}")

    findings = examine(load_job(job, set_), (lambda finding: None) if json else line)
    if json:
        document = {"exit_code": int(findings.exit_code), "counts": findings.counts()}
        print_json(document | {"findings": [finding.to_json() for finding in findings.found]})
    else:
        counts = findings.counts()
        print(f"{counts['ok']} ok, {counts['warn']} to look at, {counts['fail']} failed")
    if findings.exit_code:
        raise typer.Exit(int(findings.exit_code))
