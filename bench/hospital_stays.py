"""A wide table of another shape: stays in a hospital, mostly yes-or-no findings that are rare and go together.

28 quasi-identifiers: 18 findings with shares from 0.5 to 40 per cent, most of them likelier with age; a ward, a diagnosis chapter and a
postal code with hierarchies; an age, a stay in days, a day of admission. Many attributes of one level, where the death
certificates have few of many.
"""

from __future__ import annotations

from typing import Any

from bench.choices import between, choose, hashed, pick, shares, skewed

ROWS = 60_000

FINDINGS = {
    "diabetes": 17,
    "hypertension": 40,
    "heart_failure": 9,
    "atrial_fibrillation": 11,
    "stroke": 5,
    "copd": 8,
    "asthma": 6,
    "renal_failure": 10,
    "liver_disease": 3,
    "cancer": 12,
    "dementia": 4,
    "depression": 13,
    "obesity": 21,
    "smoker": 19,
    "anaemia": 14,
    "thyroid_disease": 9,
    "hiv": 1,
    "transplant": 1,
}
YOUNG = ("asthma", "depression", "smoker", "hiv")
"""Findings that do not become likelier with age."""
WARDS = shares(
    "Medicine 300, Surgery 240, Cardiology 120, Orthopaedics 110, Oncology 70, Neurology 60, Maternity 55, ICU 30, Burns 3"
)
CHOICES = [
    "age",
    "sex",
    "zip",
    "ward",
    "chapter",
    "stay",
    "admitted",
    "insurance",
    "arrival",
    "discharge",
    "night",
    *FINDINGS,
]


def statements(rows: int = ROWS, seed: int = 1) -> list[str]:
    """What makes the table `hospital_stays`."""
    findings = ",\n    ".join(
        f"case when h_{name} % 1000 < {10 * share} * "
        + ("1" if name in YOUNG else "(case when age < 40 then 0.3 when age < 65 then 1.0 else 1.7 end)")
        + f" then 'yes' else 'no' end as {name}"
        for name, share in FINDINGS.items()
    )
    return [
        f"""create or replace table hospital_stays as
with drawn as (
    {hashed(f"range({rows}) as numbers(n)", "n", CHOICES, seed)}
),
persons as (
    select
        drawn.*,
        {between("age", ((0, 17, 8), (18, 39, 22), (40, 64, 33), (65, 84, 31), (85, 104, 6)))} as age,
        {pick("sex", shares("F 520, M 478, X 2"))} as sex
    from drawn
)
select
    cast(age as integer) as age,
    sex,
    printf('%05d', 20000 + {skewed("zip", 400, 2)} * 13) as zip,
    {choose((("sex = 'M' or age > 50", WARDS[:6] + WARDS[7:]), (None, WARDS)), "ward")} as ward,
    printf('%c%02d', 65 + {skewed("chapter", 20, 2)}, h_chapter % 30) as diagnosis,
    cast(1 + {skewed("stay", 40, 4)} as integer) as days,
    date '2024-01-01' + cast(h_admitted % 730 as integer) as admitted,
    {pick("insurance", shares("public 850, private 130, none 15, foreign 5"))} as insurance,
    {pick("arrival", shares("planned 520, emergency 400, transfer 75, birth 5"))} as arrival,
    {pick("discharge", shares("home 830, care 90, hospital 55, died 25"))} as discharge,
    {findings}
from persons"""
    ]


def columns() -> dict[str, dict[str, Any]]:
    """The columns of the job file."""
    flag = {"role": "quasi"}
    return {
        "age": {"role": "quasi", "type": "numeric", "levels": [5, 10, 20, 40, "*"]},
        "sex": flag,
        "zip": {"role": "quasi", "levels": [{"prefix": 4}, {"prefix": 3}, {"prefix": 2}, "*"]},
        "ward": {
            "role": "quasi",
            "groups": [
                {
                    "internal": ["Medicine", "Cardiology", "Oncology", "Neurology"],
                    "surgical": ["Surgery", "Orthopaedics", "Burns", "ICU"],
                    "maternity": ["Maternity"],
                },
                "*",
            ],
        },
        "diagnosis": {"role": "quasi", "levels": [{"prefix": 1}, "*"]},
        "days": {"role": "quasi", "type": "numeric", "levels": [2, 6, 12, "*"]},
        "admitted": {"role": "quasi", "type": "date", "levels": ["month", "quarter", "year", "*"]},
        "insurance": {
            "role": "quasi",
            "groups": [{"public": ["public"], "other": ["private", "none", "foreign"]}, "*"],
        },
        "arrival": {
            "role": "quasi",
            "groups": [{"planned": ["planned", "birth"], "unplanned": ["emergency", "transfer"]}, "*"],
        },
        "discharge": {"role": "quasi", "groups": [{"home": ["home"], "other": ["care", "hospital", "died"]}, "*"]},
        **dict.fromkeys(FINDINGS, flag),
    }
