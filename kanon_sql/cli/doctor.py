"""kanon doctor."""

from __future__ import annotations

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, observed, print_json


def doctor(job: JobFile, set_: Set = [], json: Json = False, debug: Debug = False) -> None:  # noqa: B006
    """Connect and look: versions, grants, space, columns, values. One line each; exit 3 (job) or 4 (database) if one fails."""
    from kanon_sql.config.load import load_job
    from kanon_sql.diagnosis.findings import Finding
    from kanon_sql.flows import doctor as flow

    def line(finding: Finding) -> None:
        print(f"{finding.status:<4}  {finding.check:<12} {finding.message}")
        if finding.hint:
            print(f"{'':19}-> {finding.hint}")

    with observed(quiet=True, debug=debug) as observer:
        findings = flow.doctor(load_job(job, set_), (lambda finding: None) if json else line, observer)
    if json:
        print_json(findings.to_dict())
    else:
        counts = findings.counts()
        print(f"{counts['ok']} ok, {counts['warn']} to look at, {counts['fail']} failed")
    if findings.exit_code:
        raise typer.Exit(int(findings.exit_code))
