"""Benchmarks of kanon_sql: generators of tables, and runs that print ratios."""
