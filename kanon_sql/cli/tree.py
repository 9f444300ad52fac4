"""kanon tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.output import (
    Debug,
    JobFile,
    Json,
    Quiet,
    Set,
    Sql,
    observed,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from kanon_sql.evaluate.tree import Bucket, TreeComparison


def tree(
    job: JobFile,
    control: Annotated[str, typer.Option("--control", metavar="COLUMN", help="The column to tell apart.")],
    features: Annotated[
        str, typer.Option("--features", metavar="A,B,C", help="Quasi-identifiers to tell it by; default: all.")
    ] = "",
    release: Annotated[
        str | None, typer.Option("--release", metavar="TABLE", help="The release, if not the job's publish.table.")
    ] = None,
    leaves: Annotated[int, typer.Option("--leaves", min=2, max=50, help="Leaves of each tree, at most.")] = 6,
    least: Annotated[
        float, typer.Option("--least", min=0, max=0.5, help="The share of rows a leaf has at least.")
    ] = 0.02,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """A decision tree on source and release for a control column, buckets side by side: rows, condition, share."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import tree as flow

    names = [name.strip() for name in features.split(",") if name.strip()]
    with observed(quiet or json, debug, sql=sql) as observer:
        result = flow.tree(load_job(job, set_), control, names, release, observer, leaves=leaves, least=least)
    if json:
        print_json(result.to_dict())
    else:
        show_trees(result)


def show_trees(result: TreeComparison) -> None:
    """Both trees for people."""
    from kanon_sql.evaluate.tree import survives

    for title, leaves in (("source", result.source), ("release", result.release)):
        print(f"{title}: leaves for {result.control}")
        print_table(
            ["value", "rows", "share", "clear of overlap", "share", "condition"],
            [[b.value, b.rows, f"{b.share:.1%}", b.clear_rows, f"{b.clear_share:.1%}", " and ".join(b.conditions) or "everything"] for b in leaves],
        )  # fmt: skip
        print()
    if result.unknown:
        print(f"{result.unknown:,} rows of the release have a generalised {result.control} and say nothing\n")
    print("buckets")
    rows = [
        [value, _bucket(source), "NA" if release is None else _bucket(release, clear=True), survives(source, release)]
        for value, source, release in result.buckets
    ]
    print_table([result.control, "source", "release", "survives"], rows)


def _bucket(bucket: Bucket, clear: bool = False) -> str:
    """As the thesis writes it: individuals / features / split percentage."""
    rows, share = (bucket.clear_rows, bucket.clear_share) if clear else (bucket.rows, bucket.share)
    return f"{rows:,} / {' and '.join(bucket.conditions)} / {share:.0%}"
