"""What engines can and cannot do."""

from __future__ import annotations

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class Capabilities:
    """What an engine can do, one line each."""

    transactional_ddl: bool = True
    """The swap of a release and its register row are one transaction."""
    grants: bool = False
    """Relations have grants, which must survive a swap."""
    persistent_work: bool = False
    """Work tables outlive a killed client and need a janitor."""
    reads_files: bool = False
    """`source.file` can be read by the engine itself."""
    update: bool = True
    """UPDATE and DELETE exist (a template rebuilds where they do not)."""
    holds_register: bool = True
    """The register can live here; else the job names another place for it."""
    embedded: bool = False
    """The engine runs in this very process: a search has nowhere cheaper to go."""
    stages_in_place: bool = False
    """A release is built under its own name, inside the transaction that publishes it."""
    stages_counts: bool = False
    """To count the rows of a release and to write each as often is cheaper than to sort them, where they repeat."""
    meets_rows_by_number: bool = False
    """A release of groups numbers the source's rows: their groups are met by that number alone."""
    starts_jobs: bool = False
    """Every statement that writes starts a job: a small table of literals is a view."""
    nodes_per_statement: int = 10
    """How many checks go into one statement, by measurement."""
