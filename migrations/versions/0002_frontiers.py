"""Frontiers of k against loss, one per run."""

import sqlalchemy as sa
from alembic import context, op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

schema = context.config.attributes["schema"]


def upgrade() -> None:
    op.create_table(
        "frontiers",
        sa.Column("run", sa.Text, primary_key=True),
        sa.Column("frontier", sa.Text, nullable=False),
        schema=schema,
    )


def downgrade() -> None:
    op.drop_table("frontiers", schema=schema)
