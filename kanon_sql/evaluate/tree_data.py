"""What a partition tree is grown from: the source and a release, aggregated in the database by class."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.config.schema import Job
from kanon_sql.errors import ColumnError, JobError
from kanon_sql.evaluate.published import read_release
from kanon_sql.evaluate.tree import Aggregated, Bucket, TreeComparison, grow
from kanon_sql.frozen import dataclass
from kanon_sql.metrics.covered import finite_value
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class SourceTree:
    """The source's leaves, and with what they were grown: the releases' trees are grown alike."""

    control: str
    features: tuple[int, ...]
    values: frozenset[str]
    buckets: tuple[Bucket, ...]
    leaves: int
    least: int


def check_control(job: Job, control: str) -> None:
    """A control is a published column."""
    if control not in job.columns:
        raise ColumnError(
            f"--control {control}: that is not a column of the job", f"known are {', '.join(job.columns)}"
        )
    if job.columns[control].role in ("identifier", "drop"):
        raise JobError(f"--control {control}: the job does not publish it", "name a quasi, sensitive or keep column")


def source_tree(
    bench: Workbench, control: str, features: Sequence[str] = (), leaves: int = 6, least: float = 0.02
) -> SourceTree:
    """The tree of the source; without `features` all quasi-identifiers but the control are tried."""
    names = [attribute.name for attribute in bench.attributes]
    if unknown := [name for name in features if name not in names]:
        raise ColumnError(f"--features {unknown[0]}: that is not a quasi-identifier of the job")
    chosen = tuple(i for i, name in enumerate(names) if name != control and (not features or name in features))
    if not chosen:
        raise JobError("there is no quasi-identifier to tell the control by")
    dialect = bench.dialect
    wanted = [
        (
            i,
            bench.names.dictionary(i),
            finite_value(dialect, bench.attributes[i], f"members_{i}.value") if bench.attributes[i].numeric else None,
        )
        for i in chosen
    ]
    if control in names:
        i = names.index(control)
        described = (f"q{i}_0", bench.names.dictionary(i), "control.label_0", f"q{i}_0")
    else:
        i = bench.sensitive.index(control)
        described = (f"s{i}", bench.names.sensitive(i), dialect.as_text("control.value"), "code")
    classes = []
    for row in bench.backend.fetch(statements.evaluate.tree_source(dialect, bench.names.base, wanted, described)):
        cells = tuple(
            (None, _number(value), _number(value)) if bench.attributes[i].numeric else (_text(value), None, None)
            for i, value in zip(chosen, row[: len(chosen)], strict=True)
        )
        classes.append((cells, _text(row[-2]), int(row[-1])))
    data = _aggregated(bench, chosen, classes)
    rows = max(bench.job.privacy.k, int(least * data.rows), 1)
    buckets = grow(data, leaves, rows, bench.job.privacy.k)
    values = frozenset(control for _, control, _ in classes if control is not None)
    return SourceTree(control, chosen, values, buckets, leaves, rows)


def tree_of_release(bench: Workbench, source: SourceTree, release: Relation) -> TreeComparison:
    """The tree of a release, beside the source's."""
    names = [attribute.name for attribute in bench.attributes]
    quasi = source.control in names
    published = read_release(bench, release, "tree", None if quasi else source.control)
    wanted = [
        (
            i,
            published.covers[i],
            bench.names.dictionary(i),
            finite_value(bench.dialect, bench.attributes[i], f"members_{i}.value")
            if bench.attributes[i].numeric
            else None,
        )
        for i in source.features
    ]
    control = f"label_{names.index(source.control)}" if quasi else "target"
    classes = []
    unknown = 0
    for row in bench.backend.fetch(statements.evaluate.tree_release(bench.dialect, published.table, wanted, control)):
        cells = tuple(
            (_text(row[3 * place]), _number(row[3 * place + 1]), _number(row[3 * place + 2]))
            for place in range(len(wanted))
        )
        value = _text(row[-2])
        if value not in source.values:
            unknown += int(row[-1])
            value = None
        classes.append((cells, value, int(row[-1])))
    buckets = grow(_aggregated(bench, source.features, classes), source.leaves, source.least, bench.job.privacy.k)
    return TreeComparison(source.control, source.buckets, buckets, unknown)


def _aggregated(
    bench: Workbench,
    features: Sequence[int],
    classes: Sequence[tuple[tuple[tuple[str | None, float | None, float | None], ...], str | None, int]],
) -> Aggregated:
    attributes = [bench.attributes[i] for i in features]
    return Aggregated(
        features=tuple(attribute.name for attribute in attributes),
        numeric=tuple(attribute.numeric for attribute in attributes),
        whole=tuple(attribute.kind == "integer" for attribute in attributes),
        classes=tuple(sorted(classes, key=repr)),  # the same tree whatever the order of the engine's rows
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))
