"""How to say it: names, rendering, statements, dialects."""
