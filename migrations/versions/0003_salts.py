"""The salt of each job's ledger: kept apart from the ledger, so that neither alone names anybody."""

import sqlalchemy as sa
from alembic import context, op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

schema = context.config.attributes["schema"]


def upgrade() -> None:
    op.create_table(
        "salts",
        sa.Column("job", sa.Text, primary_key=True),
        sa.Column("salt", sa.Text, nullable=False),
        schema=schema,
    )


def downgrade() -> None:
    op.drop_table("salts", schema=schema)
