"""From the job's privacy section to the shape of a class: what is counted, and when a class violates."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class BuiltPrivacy:
    """The shape, and whether the whole model is monotone along the lattice within this budget."""

    shape: ClassShape
    monotone: bool


def build_shape(bench: Workbench, sums: tuple[tuple[str, str], ...], columns: tuple[ClassColumn, ...]) -> BuiltPrivacy:
    """`sums` and `columns` are what the objective needs of a class besides."""
    return BuiltPrivacy(ClassShape(bench.job.privacy.k, bench.counts_persons, columns, (), sums), True)
