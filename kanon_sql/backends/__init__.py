"""Who does it: one narrow interface, one file per engine."""
