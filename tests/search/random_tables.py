"""Small random tables with nested levels, NULLs, a target and a sensitive attribute, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.measured_in_numpy import MeasuredTable


@st.composite
def measured_tables(draw: st.DrawFn, with_l: bool = False) -> MeasuredTable:
    """Two or three attributes of up to four levels, 4 to 30 rows, a budget of up to a quarter of the rows."""
    rows = draw(st.integers(4, 30))
    columns = []
    for _ in range(draw(st.integers(2, 3))):
        domain = draw(st.integers(1, 6))
        values: list[object] = draw(st.lists(st.sampled_from([None, *range(domain)]), min_size=rows, max_size=rows))
        levels: list[list[object]] = [values]
        # A level merges labels of the one before it, so the levels nest; NULL is a label like the others.
        for _ in range(draw(st.integers(0, 2))):
            labels = sorted({repr(value) for value in levels[-1]})
            groups = {label: draw(st.integers(0, len(labels) // 2)) for label in labels}
            levels.append([groups[repr(value)] for value in levels[-1]])
        levels.append(["*"] * rows)
        columns.append(levels)
    eta = draw(st.integers(0, rows // 4))
    target = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    sensitive = draw(st.lists(st.integers(0, 4), min_size=rows, max_size=rows)) if with_l else None
    return MeasuredTable.of_values(columns, eta, target, sensitive)
