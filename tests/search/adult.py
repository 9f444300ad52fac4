"""The Adult table in an embedded database, answering a driver's questions: the public example the searches are counted on."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import duckdb

from kanon_sql.metrics.objective import Objective, SeparableObjective
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import Answer, CheckNodes, Driver, Narrow, Outcome, Question, ScoreNodes

NAMES = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)


class Adult:
    """The base frequency set with a coded column for each level, and glm's loss of each value at each level."""

    def __init__(self, directory: Path) -> None:
        with open(directory / "adult.csv", newline="") as file:
            counts = Counter(tuple(row[name] for name in NAMES) for row in csv.DictReader(file, delimiter=";"))
        self.rows = sum(counts.values())
        levels: list[int] = []
        parts: list[tuple[float, ...]] = []
        columns: list[tuple[str, list[int] | list[float]]] = []
        for i, name in enumerate(NAMES):
            with open(directory / f"adult_hierarchy_{name}.csv", newline="") as file:
                hierarchy = {row[0]: row for row in csv.reader(file, delimiter=";")}
            domain = sorted({key[i] for key in counts})
            width = len(next(iter(hierarchy.values())))
            part = []
            for level in range(width):
                under = Counter(hierarchy[value][level] for value in domain)
                code = {label: number for number, label in enumerate(sorted(under))}
                lost = {v: (under[hierarchy[v][level]] - 1) / (len(domain) - 1) for v in domain}
                columns.append((f"c{i}_{level}", [code[hierarchy[key[i]][level]] for key in counts]))
                columns.append((f"l{i}_{level}", [lost[key[i]] for key in counts]))
                part.append(sum(lost[key[i]] * n for key, n in counts.items()) / self.rows / len(NAMES))
            levels.append(width)
            parts.append(tuple(part))
        star = tuple(width - 1 for width in levels)
        self.lattice = Lattice(NAMES, (0,) * len(NAMES), star, star)
        self.glm = SeparableObjective("glm", tuple(parts), self.rows)
        self.height = SeparableObjective(
            "height", tuple(tuple(map(float, range(width))) for width in levels), self.rows, exact_from_counts=True
        )
        self._connection = duckdb.connect(config={"threads": 1})
        kinds = ", ".join(f"{name} {'double' if name[0] == 'l' else 'utinyint'}" for name, _ in columns)
        self._connection.execute(f"create table base ({kinds}, n integer)")
        names = [name for name, _ in columns]
        listed = [values for _, values in columns] + [list(counts.values())]
        unnested = ", ".join(f"unnest(?) as {name}" for name in [*names, "n"])
        self._connection.execute(f"insert into base select {unnested}", listed)

    def verdict(self, node: Node, k: int, budget: int, objective: Objective, score: bool) -> Verdict:
        below = [(i, level) for i, level in enumerate(node) if level < self.lattice.star[i]]
        grouping = ", ".join(f"c{i}_{level}" for i, level in below) or "()"
        lost = " + ".join(f"l{i}_{level}" for i, level in enumerate(node)) if score else "0"
        row = self._connection.execute(f"""
            with classes as (select sum(n) as c, sum(n * ({lost})) as lost from base group by {grouping})
            select min(c), count(*), coalesce(sum(c) filter (c < {k}), 0), count(*) filter (c >= {k}),
                coalesce(sum(c * c) filter (c >= {k}), 0), sum(c * c), coalesce(sum(lost) filter (c < {k}), 0)
            from classes""").fetchone()
        assert row is not None
        smallest, classes, suppressed, kept, squares, all_squares, lost_rows = row
        verdict = Verdict(
            node=node,
            passes=suppressed <= budget,
            min_class=int(smallest),
            classes=classes,
            suppressed=int(suppressed),
            kept_classes=kept,
            sums={"squares": float(squares), "all_squares": float(all_squares)},
        )
        if not score:
            return verdict
        loss = objective.bound(node) + (float(suppressed) - float(lost_rows) / len(NAMES)) / self.rows
        return Verdict(**{**verdict.__dict__, "loss": loss})

    def run(self, driver: Driver, k: int, budget: int, objective: Objective) -> Outcome:
        def answer(question: Question) -> Answer:
            if isinstance(question, Narrow):
                return []
            assert isinstance(question, CheckNodes | ScoreNodes)
            score = isinstance(question, ScoreNodes)
            return [self.verdict(node, k, budget, objective, score) for node in question.nodes]

        try:
            question = next(driver)
            while True:
                question = driver.send(answer(question))
        except StopIteration as stop:
            outcome = stop.value
            assert isinstance(outcome, Outcome)
            return outcome
