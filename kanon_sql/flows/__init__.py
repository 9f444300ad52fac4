"""One file per thing a user asks for: `kanon VERB` and `kanon_sql.VERB` are both `flows/VERB.py`."""

SECTIONS = {
    "Start": ("demo", "init", "hierarchy", "validate", "doctor", "grants", "simulate"),
    "Every night": ("plan", "run", "check", "status", "export", "emit"),
    "Look": ("report", "score", "pareto", "compare", "tree", "workload", "attack", "diff"),
    "Maintain": ("history", "show", "rollback", "forget", "janitor", "migrate", "schema"),
}
"""Every verb under what one does with it, in the order of `kanon --help`. The command line and the Python API are read off this list."""
VERBS = tuple(verb for verbs in SECTIONS.values() for verb in verbs)
