"""kanon migrate."""

from __future__ import annotations

from kanon_sql.cli.output import Debug, Json, Set, observed, print_json
from kanon_sql.cli.registered import JobArgument, Schema, Url, named_register


def migrate(
    job: JobArgument = None,
    url: Url = None,
    schema: Schema = "kanon",
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Bring the register's tables to this version; make them if there are none."""
    from kanon_sql.flows import migrate as flow

    loaded, url = named_register(job, url, set_)
    with observed(quiet=True, debug=debug) as observer:
        done = flow.migrate(loaded, observer, url=url, schema=schema)
    if json:
        print_json(done.to_dict())
    elif done.applied:
        print(
            f"the register in schema {done.schema} is now at revision {done.revision} (applied {', '.join(done.applied)})"
        )
    else:
        print(f"the register in schema {done.schema} is at revision {done.revision}: nothing to do")
