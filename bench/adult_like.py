"""Tables like the Adult census: nine quasi-identifiers with its domains, skew and correlations, of any size.

A population of 30,162 prototypes is drawn first (or read from a file); every row is a prototype of which each cell is
taken, with a chance of 5%, from another one. So combinations grow much more slowly than rows, as in real tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.choices import between, choose, hashed, literal, pick, shares

PROTOTYPES = 30_162
PERTURBED_PERCENT = 5
COLUMNS = (
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

AGES = (
    (17, 19, 450),
    (20, 24, 1160),
    (25, 29, 1300),
    (30, 34, 1370),
    (35, 39, 1350),
    (40, 44, 1230),
    (45, 49, 1050),
    (50, 54, 810),
    (55, 59, 580),
    (60, 64, 370),
    (65, 69, 175),
    (70, 74, 80),
    (75, 79, 37),
    (80, 88, 18),
    (90, 90, 11),
)
RACES = shares("White 8597, Black 933, Asian-Pac-Islander 296, Amer-Indian-Eskimo 94, Other 80")
MARITAL = (
    ("age < 23", shares("Never-married 9300, Married-civ-spouse 550, Separated 70, Divorced 60, Married-AF-spouse 20")),
    (
        "age < 32 and sex = 'Female'",
        shares(
            "Never-married 6100, Married-civ-spouse 2100, Divorced 1200, Separated 480, Widowed 80, "
            "Married-spouse-absent 130, Married-AF-spouse 15"
        ),
    ),
    (
        "age < 32",
        shares("Never-married 5200, Married-civ-spouse 4200, Divorced 400, Separated 130, Married-spouse-absent 90"),
    ),
    (
        "sex = 'Female'",
        shares(
            "Divorced 3700, Married-civ-spouse 2200, Never-married 2100, Widowed 1050, Separated 850, "
            "Married-spouse-absent 250"
        ),
    ),
    (
        None,
        shares(
            "Married-civ-spouse 7700, Never-married 1050, Divorced 1000, Separated 190, Widowed 110, "
            "Married-spouse-absent 120, Married-AF-spouse 4"
        ),
    ),
)
EDUCATION = (
    (
        "age < 22",
        shares(
            "Some-college 4300, HS-grad 3100, 11th 1050, 12th 480, 10th 450, Assoc-voc 160, Assoc-acdm 160, 9th 130, "
            "7th-8th 70, Bachelors 60, 5th-6th 40"
        ),
    ),
    (
        "age < 60",
        shares(
            "HS-grad 3250, Some-college 2130, Bachelors 1900, Masters 590, Assoc-voc 480, Assoc-acdm 360, 11th 260, "
            "10th 220, Prof-school 190, 9th 130, 7th-8th 120, Doctorate 125, 12th 100, 5th-6th 95, 1st-4th 45, "
            "Preschool 15"
        ),
    ),
    (
        None,
        shares(
            "HS-grad 3500, Some-college 1600, Bachelors 1250, 7th-8th 900, 10th 550, Masters 560, 11th 350, 9th 330, "
            "Prof-school 260, Doctorate 260, Assoc-voc 250, Assoc-acdm 180, 5th-6th 180, 1st-4th 130, 12th 100, "
            "Preschool 20"
        ),
    ),
)
ASIA = "Philippines 1900, India 950, China 650, Vietnam 620, Japan 420, South 680, Taiwan 380, Hong 180, Thailand 150, "
LATIN_AMERICA = (
    "Mexico 250, Puerto-Rico 45, El-Salvador 40, Cuba 38, Dominican-Republic 24, Guatemala 25, Columbia 22, "
    "Nicaragua 12, Peru 11, Ecuador 10, Honduras 4, "
)
COUNTRIES = (
    (
        "race = 'Asian-Pac-Islander'",
        shares(ASIA + "Laos 160, Cambodia 150, Outlying-US(Guam-USVI-etc) 60, United-States 3300"),
    ),
    (
        "race = 'Other'",
        shares(
            "United-States 5000, Mexico 1400, Puerto-Rico 900, Dominican-Republic 700, El-Salvador 500, Ecuador 500, "
            "Columbia 400, Iran 200, Peru 200, Nicaragua 200"
        ),
    ),
    (
        "race = 'Black'",
        shares(
            "United-States 9150, Jamaica 260, Haiti 150, Trinadad&Tobago 50, Dominican-Republic 60, England 40, "
            "Outlying-US(Guam-USVI-etc) 20, Puerto-Rico 30, Honduras 10"
        ),
    ),
    (
        None,
        shares(
            "United-States 9220, " + LATIN_AMERICA + "Germany 47, Canada 40, England 31, Italy 26, Poland 21, Iran 14, "
            "Portugal 13, Greece 11, France 10, Ireland 8, Yugoslavia 6, Hungary 5, Scotland 4, Holand-Netherlands 1"
        ),
    ),
)
WORKCLASSES = (
    (
        "age < 25",
        shares("Private 8900, Local-gov 350, State-gov 400, Self-emp-not-inc 250, Federal-gov 110, Without-pay 8"),
    ),
    (
        "education in ('Prof-school', 'Doctorate', 'Masters')",
        shares("Private 5300, Local-gov 1500, Self-emp-not-inc 1100, State-gov 900, Self-emp-inc 750, Federal-gov 450"),
    ),
    (
        None,
        shares(
            "Private 7350, Self-emp-not-inc 900, Local-gov 650, State-gov 370, Self-emp-inc 390, Federal-gov 330, "
            "Without-pay 5"
        ),
    ),
)
OCCUPATIONS = (
    (
        "education in ('Prof-school', 'Doctorate', 'Masters')",
        shares(
            "Prof-specialty 6200, Exec-managerial 2200, Sales 560, Adm-clerical 350, Tech-support 180, "
            "Other-service 130, Craft-repair 150, Protective-serv 90, Farming-fishing 70, Transport-moving 30"
        ),
    ),
    (
        "education in ('Bachelors', 'Assoc-acdm', 'Assoc-voc') and sex = 'Female'",
        shares(
            "Prof-specialty 3300, Adm-clerical 2400, Exec-managerial 1900, Sales 950, Other-service 600, "
            "Tech-support 550, Craft-repair 100, Machine-op-inspct 100, Priv-house-serv 30, Protective-serv 50"
        ),
    ),
    (
        "education in ('Bachelors', 'Assoc-acdm', 'Assoc-voc')",
        shares(
            "Exec-managerial 2700, Prof-specialty 2300, Sales 1700, Craft-repair 1000, Adm-clerical 650, "
            "Tech-support 500, Protective-serv 330, Other-service 250, Transport-moving 200, Farming-fishing 230, "
            "Machine-op-inspct 200, Handlers-cleaners 120, Armed-Forces 2"
        ),
    ),
    (
        "sex = 'Female'",
        shares(
            "Adm-clerical 3000, Other-service 2500, Sales 1400, Exec-managerial 900, Machine-op-inspct 850, "
            "Prof-specialty 450, Craft-repair 260, Tech-support 230, Handlers-cleaners 200, Priv-house-serv 180, "
            "Transport-moving 110, Farming-fishing 80, Protective-serv 80"
        ),
    ),
    (
        None,
        shares(
            "Craft-repair 2700, Transport-moving 1150, Machine-op-inspct 1100, Sales 1050, Handlers-cleaners 900, "
            "Other-service 900, Exec-managerial 900, Farming-fishing 620, Adm-clerical 600, Protective-serv 330, "
            "Prof-specialty 260, Tech-support 180, Armed-Forces 3, Priv-house-serv 5"
        ),
    ),
)
RICH_PERCENT = """case
    when age < 25 then 1
    when "marital-status" like 'Married-%' then
        case
            when education in ('Prof-school', 'Doctorate', 'Masters') then 78
            when education = 'Bachelors' then 66
            when occupation in ('Exec-managerial', 'Prof-specialty') then 52
            when education in ('HS-grad', 'Some-college', 'Assoc-voc', 'Assoc-acdm') then 36
            else 14
        end
    when education in ('Prof-school', 'Doctorate', 'Masters', 'Bachelors') then 19
    else 4
end"""

# One mapping per level; the age has widths.
GROUPS: Mapping[str, list[dict[str, list[str]]]] = {
    "sex": [],
    "race": [],
    "salary-class": [],
    "marital-status": [
        {
            "Lives with spouse": ["Married-civ-spouse", "Married-AF-spouse"],
            "Lives without": ["Never-married", "Divorced", "Separated", "Widowed", "Married-spouse-absent"],
        }
    ],
    "education": [
        {
            "Elementary": ["Preschool", "1st-4th", "5th-6th"],
            "School": ["7th-8th", "9th", "10th", "11th", "12th", "HS-grad"],
            "College": ["Some-college", "Bachelors"],
            "Vocational": ["Assoc-voc", "Assoc-acdm", "Prof-school"],
            "Advanced": ["Masters", "Doctorate"],
        },
        {
            "First": ["Preschool", "1st-4th", "5th-6th"],
            "Second": ["7th-8th", "9th", "10th", "11th", "12th", "HS-grad"],
            "Third": [
                "Some-college",
                "Bachelors",
                "Assoc-voc",
                "Assoc-acdm",
                "Prof-school",
                "Masters",
                "Doctorate",
            ],
        },
    ],
    "native-country": [
        {
            "Northern America": ["United-States", "Canada", "Outlying-US(Guam-USVI-etc)"],
            "Latin America": (
                "Mexico Puerto-Rico El-Salvador Cuba Jamaica Dominican-Republic Guatemala Haiti Nicaragua Honduras "
                "Trinadad&Tobago Columbia Peru Ecuador"
            ).split(),
            "Asia": "Philippines India China Vietnam Japan Taiwan Iran Thailand Hong Cambodia Laos South".split(),
            "Western Europe": "Germany England Ireland Scotland France Holand-Netherlands Italy Portugal".split(),
            "Eastern Europe": "Poland Greece Hungary Yugoslavia".split(),
        }
    ],
    "workclass": [
        {
            "Private": ["Private", "Self-emp-not-inc", "Self-emp-inc"],
            "Public": ["Federal-gov", "State-gov", "Local-gov"],
            "Unpaid": ["Without-pay"],
        }
    ],
    "occupation": [
        {
            "Office": ["Exec-managerial", "Adm-clerical", "Sales"],
            "Skilled": ["Tech-support", "Craft-repair", "Machine-op-inspct", "Prof-specialty"],
            "Manual": (
                "Other-service Handlers-cleaners Farming-fishing Transport-moving Priv-house-serv Protective-serv "
                "Armed-Forces"
            ).split(),
        }
    ],
}


def statements(rows: int, seed: int = 1, resample: Path | None = None) -> list[str]:
    """What makes the table `adult_like`; with `resample` the prototypes are the rows of that CSV file."""
    names = ", ".join(f'"{name}"' for name in COLUMNS)
    source = _prototypes(seed)
    if resample:
        file = f"read_csv({literal(str(resample))}, delim = ';', header = true)"
        source = f"select row_number() over () - 1 as prototype, {names} from {file}"
    choices = ["prototype", "donor", *(name.replace("-", "_") for name in COLUMNS)]
    cells = ",\n    ".join(
        f'case when h_{name.replace("-", "_")} % 100 < {PERTURBED_PERCENT} then donor."{name}" '
        f'else kept."{name}" end as "{name}"'
        for name in COLUMNS
    )
    return [
        f"create or replace temporary table prototypes as {source}",
        f"""create or replace table adult_like as
with population as (select count(*) as people from prototypes),
drawn as (
    {hashed(f"range({rows}) as numbers(n)", "n", choices, seed + 1)}
),
placed as (
    select
        *,
        h_prototype % people as prototype,
        h_donor % people as donor
    from drawn, population
)
select
    {cells}
from placed
join prototypes as kept on kept.prototype = placed.prototype
join prototypes as donor on donor.prototype = placed.donor""",
        "drop table prototypes",
    ]


def _prototypes(seed: int) -> str:
    choices = ["sex", "age", "race", "marital", "education", "country", "workclass", "occupation", "salary"]
    return f"""with drawn as (
    {hashed(f"range({PROTOTYPES}) as numbers(n)", "n", choices, seed)}
),
born as (
    select
        drawn.*,
        {pick("sex", shares("Male 6756, Female 3244"))} as sex,
        cast({between("age", AGES)} as integer) as age,
        {pick("race", RACES)} as race
    from drawn
),
schooled as (
    select
        born.*,
        {choose(MARITAL, "marital")} as "marital-status",
        {choose(EDUCATION, "education")} as education,
        {choose(COUNTRIES, "country")} as "native-country"
    from born
),
employed as (
    select
        schooled.*,
        {choose(WORKCLASSES, "workclass")} as workclass,
        {choose(OCCUPATIONS, "occupation")} as occupation
    from schooled
)
select
    i as prototype,
    {", ".join(f'"{name}"' for name in COLUMNS[:-1])},
    case when h_salary % 100 < {RICH_PERCENT} then '>50K' else '<=50K' end as "salary-class"
from employed"""


def columns() -> dict[str, dict[str, Any]]:
    """The columns of the job file: 12,960 nodes."""
    described: dict[str, dict[str, Any]] = {}
    for name in COLUMNS:
        if name == "age":
            described[name] = {"role": "quasi", "type": "numeric", "levels": [5, 10, 20, "*"]}
        elif GROUPS[name]:
            described[name] = {"role": "quasi", "groups": [*GROUPS[name], "*"]}
        else:
            described[name] = {"role": "quasi", "levels": ["*"]}
    return described
