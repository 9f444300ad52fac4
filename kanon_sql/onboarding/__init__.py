"""The first job file: read a table, guess roles and levels, write them down with every guess marked."""
