"""Privacy models: one per file, with its citation and whether it is monotone."""
