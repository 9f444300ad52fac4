"""A run's work tables: base frequency set, dictionaries, level view, checks."""
