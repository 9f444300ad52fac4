"""Whose releases are whose: the database of every run and release, the mark on a release's table, and the job that owns a target.

A register may serve several databases, so a name alone says little. `releases.mark` is what the table itself carries: a table of the
same name without it is somebody else's. Rows from before have neither.
"""

import sqlalchemy as sa
from alembic import context, op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

schema = context.config.attributes["schema"]


def upgrade() -> None:
    op.add_column("runs", sa.Column("database", sa.Text), schema=schema)
    op.add_column("releases", sa.Column("database", sa.Text), schema=schema)
    op.add_column("releases", sa.Column("mark", sa.Text), schema=schema)
    op.create_table(
        "jobs",
        sa.Column("database", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("file", sa.Text),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("since", sa.TIMESTAMP, nullable=False),
        sa.PrimaryKeyConstraint("database", "target"),
        schema=schema,
    )


def downgrade() -> None:
    op.drop_table("jobs", schema=schema)
    op.drop_column("releases", "mark", schema=schema)
    op.drop_column("releases", "database", schema=schema)
    op.drop_column("runs", "database", schema=schema)
