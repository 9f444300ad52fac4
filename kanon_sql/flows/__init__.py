"""One file per thing a user asks for: `kanon VERB` and `kanon_sql.VERB` are both `flows/VERB.py`."""

VERBS = (
    "check",
    "plan",
    "score",
    "run",
    "pareto",
    "demo",
    "validate",
    "schema",
    "init",
    "hierarchy",
    "history",
    "show",
    "migrate",
    "janitor",
    "rollback",
    "diff",
    "grants",
    "attack",
    "doctor",
    "simulate",
    "workload",
    "compare",
    "report",
    "tree",
)
"""Every verb, in the order of `kanon --help`. The command line and the Python API are read off this list."""
