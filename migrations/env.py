"""Turns the register's migrations into statements for one engine; kanon_sql.release.migrate executes them.

Alembic compiles and the engine's own connection executes: so a migration is one transaction with the same labels, time-outs and
error messages as every other statement, and DuckDB needs no second connection to a file that admits one writer.
"""

from importlib import import_module

from alembic import context

attributes = context.config.attributes
if attributes["dialect_name"] == "duckdb":
    # Alembic knows DuckDB by this module alone, and whether the dialect imports it depends on what was imported first.
    import_module("duckdb_sqlalchemy.alembic_impl")

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
