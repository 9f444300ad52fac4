"""The commented job file that goes with the synthetic census."""

from importlib import resources


def demo_job() -> str:
    """The text of the job file; its database, census.duckdb, lies beside it and its table is `people`."""
    return resources.files("kanon_sql.synthetic").joinpath("job.yml").read_text(encoding="utf-8")
