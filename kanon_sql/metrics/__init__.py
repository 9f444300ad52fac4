"""Utility: one measure per file, and the objective a search minimises."""
