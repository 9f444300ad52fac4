"""Turns the register's migrations into statements for one engine; kanon_sql.release.migrate executes them.

Alembic compiles and the engine's own connection executes: so a migration is one transaction with the same labels, time-outs and
error messages as every other statement, and DuckDB needs no second connection to a file that admits one writer.
"""

from alembic import context

attributes = context.config.attributes

context.configure(
    dialect_name=attributes["dialect_name"],
    dialect_opts={"paramstyle": "named"},  # the other styles double every % sign
    as_sql=True,
    literal_binds=True,
    output_buffer=attributes["statements"],
    version_table=attributes["version_table"],
    version_table_schema=attributes["schema"],
)
context.run_migrations()
