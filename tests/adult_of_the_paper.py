"""Adult with a lattice of POkA's shape (table 2 of the paper): 17,920 nodes; the paper does not print its
hierarchies."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import duckdb
import pytest

from bench import adult_like
from tests.measured_in_numpy import MeasuredTable

NAMES = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "race",
    "sex",
    "native-country",
    "salary-class",
)

WORKCLASS = {
    "Private": ("Private", "Non-government"),
    "Self-emp-not-inc": ("Self-employed", "Non-government"),
    "Self-emp-inc": ("Self-employed", "Non-government"),
    "Without-pay": ("Unpaid", "Non-government"),
    "Federal-gov": ("Federal", "Government"),
    "Local-gov": ("Regional", "Government"),
    "State-gov": ("Regional", "Government"),
}
EDUCATION = {
    "Preschool": ("Primary", "Compulsory"),
    "1st-4th": ("Primary", "Compulsory"),
    "5th-6th": ("Primary", "Compulsory"),
    "7th-8th": ("Secondary", "Compulsory"),
    "9th": ("Secondary", "Compulsory"),
    "10th": ("Secondary", "Compulsory"),
    "11th": ("Secondary", "Compulsory"),
    "12th": ("Secondary", "Compulsory"),
    "HS-grad": ("High school", "Compulsory"),
    "Some-college": ("College", "Higher"),
    "Assoc-voc": ("College", "Higher"),
    "Assoc-acdm": ("College", "Higher"),
    "Bachelors": ("Bachelors", "Higher"),
    "Masters": ("Graduate", "Higher"),
    "Prof-school": ("Graduate", "Higher"),
    "Doctorate": ("Graduate", "Higher"),
}
MARITAL_STATUS = {
    "Married-civ-spouse": ("Married", "Spouse present"),
    "Married-AF-spouse": ("Married", "Spouse present"),
    "Married-spouse-absent": ("Apart", "Spouse not present"),
    "Separated": ("Apart", "Spouse not present"),
    "Divorced": ("Apart", "Spouse not present"),
    "Widowed": ("Widowed", "Spouse not present"),
    "Never-married": ("Never married", "Spouse not present"),
}
COUNTRIES = {
    ("United States", "North America", "New World"): "United-States",
    ("Canada", "North America", "New World"): "Canada Outlying-US(Guam-USVI-etc)",
    ("Central America", "Latin America", "New World"): "Mexico El-Salvador Guatemala Nicaragua Honduras",
    ("Caribbean", "Latin America", "New World"): "Puerto-Rico Cuba Jamaica Dominican-Republic Haiti Trinadad&Tobago",
    ("South America", "Latin America", "New World"): "Columbia Peru Ecuador",
    (
        "Western Europe",
        "Europe",
        "Old World",
    ): ("Germany England Italy Portugal France Greece Ireland Scotland Holand-Netherlands"),
    ("Eastern Europe", "Europe", "Old World"): "Poland Yugoslavia Hungary",
    ("East Asia", "Asia", "Old World"): "China Japan Taiwan South Hong",
    ("South-East Asia", "Asia", "Old World"): "Philippines Vietnam Thailand Cambodia Laos",
    ("South Asia", "Asia", "Old World"): "India Iran",
}


def levels_of(name: str, value: str) -> tuple[str, ...]:
    """The value at every level: the paper's lengths 6, 3, 3, 3, 1, 1, 4, 1."""
    if name == "age":
        year = int(value)
        spans = tuple(f"{year // width * width}-{year // width * width + width - 1}" for width in (5, 10, 20, 40, 80))
        return (value, *spans, "*")
    if name == "workclass":
        return (value, *WORKCLASS[value], "*")
    if name == "education":
        return (value, *EDUCATION[value], "*")
    if name == "marital-status":
        return (value, *MARITAL_STATUS[value], "*")
    if name == "native-country":
        region = next(region for region, countries in COUNTRIES.items() if value in countries.split())
        return (value, *region, "*")
    return (value, "*")


def adult_rows() -> list[dict[str, str]]:
    """The 30,162 rows, from the data beside the checkout or KANON_TEST_DATA; skips where there is none."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    path = Path(os.environ.get("KANON_TEST_DATA", beside)) / "adult.csv"
    if not path.exists():
        pytest.skip(f"no Adult data: {path.name} is neither in ../shared/data nor in KANON_TEST_DATA")
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines, delimiter=";"))


def census_table(rows: int) -> MeasuredTable:
    """Rows of the generator's, which has Adult's values, coded for numpy, with the paper's suppression limit of 1%."""
    with duckdb.connect() as connection:
        for statement in adult_like.statements(rows):
            connection.execute(statement)
        names = ", ".join(f'cast("{name}" as varchar)' for name in NAMES)
        people = connection.execute(f"select {names} from adult_like").fetchall()
    columns = [
        list(zip(*(levels_of(name, person[place]) for person in people), strict=True))
        for place, name in enumerate(NAMES)
    ]
    return MeasuredTable.of_values(columns, eta=rows // 100, names=NAMES)
