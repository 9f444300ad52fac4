"""Runs and the releases they published.

No foreign keys: DuckDB cannot update a row that another one refers to. Times are UTC. JSON is kept as text, which both engines
store alike and nobody queries by part.
"""

import sqlalchemy as sa
from alembic import context, op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

schema = context.config.attributes["schema"]


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("started", sa.TIMESTAMP, nullable=False),
        sa.Column("ended", sa.TIMESTAMP),
        sa.Column("account", sa.Text),
        sa.Column("host", sa.Text),
        sa.Column("pid", sa.Integer),
        sa.Column("program", sa.Text, nullable=False),
        sa.Column("engine", sa.Text),
        sa.Column("algorithm", sa.Text),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("node", sa.Text),
        sa.Column("figures", sa.Text),
        sa.Column("timings", sa.Text),
        sa.Column("error", sa.Text),
        schema=schema,
    )
    op.create_table(
        "releases",
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("release_table", sa.Text, nullable=False),
        sa.Column("release_view", sa.Text, nullable=False),
        sa.Column("row_count", sa.BigInteger, nullable=False),
        sa.Column("k", sa.BigInteger, nullable=False),
        sa.Column("published", sa.TIMESTAMP, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("job", "version"),
        schema=schema,
    )


def downgrade() -> None:
    op.drop_table("releases", schema=schema)
    op.drop_table("runs", schema=schema)
