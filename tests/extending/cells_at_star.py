"""cells_at_star: the share of cells published as `*`. A throw-away measure of cells."""

from __future__ import annotations

from kanon_sql.metrics.measure import CellMeasure

MEASURE = CellMeasure(covered=lambda cover: "0", at_star=lambda cover: "1")
