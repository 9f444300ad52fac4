"""What each ledger of cells held after each release, so that one that lost entries, or that another register knows, is noticed.

The ledger itself lies with the source. `how` is night, accepted, rebase or forget; `why` what somebody said to it.
"""

import sqlalchemy as sa
from alembic import context, op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

schema = context.config.attributes["schema"]


def upgrade() -> None:
    op.create_table(
        "ledgers",
        sa.Column("database", sa.Text, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("entries", sa.BigInteger, nullable=False),
        sa.Column("checksum", sa.Text, nullable=False),
        sa.Column("how", sa.Text, nullable=False),
        sa.Column("why", sa.Text),
        sa.Column("account", sa.Text),
        sa.Column("recorded", sa.TIMESTAMP, nullable=False),
        sa.PrimaryKeyConstraint("database", "scope", "sequence", "how", "run"),
        schema=schema,
    )


def downgrade() -> None:
    op.drop_table("ledgers", schema=schema)
