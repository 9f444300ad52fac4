"""Who lives in the synthetic census: the shares of every value, per ten thousand, by what they depend on."""

from __future__ import annotations

from typing import TypeAlias

Shares: TypeAlias = tuple[tuple[str, int], ...]


def shares(text: str) -> Shares:
    """Read `value share, value share, ...`; the shares must add up to ten thousand."""
    pairs = tuple((value, int(share)) for value, share in (part.strip().rsplit(" ", 1) for part in text.split(",")))
    if sum(share for _, share in pairs) != 10_000:
        raise ValueError(f"these shares do not add up to 10000: {text}")
    return pairs


# From age, to age, share.
AGES = (
    (16, 24, 1450),
    (25, 34, 2100),
    (35, 44, 2000),
    (45, 54, 1750),
    (55, 64, 1550),
    (65, 74, 1040),
    (75, 89, 110),
)

SEXES = shares("F 5080, M 4920")

# The first three digits of a zip code; each region has districts below it.
REGIONS = shares("100 2900, 112 2100, 606 1300, 900 1100, 101 900, 113 700, 941 400, 104 300, 607 300")

RACE_BY_REGION = (
    (("100", "101", "104"), shares("White 7000, Black 1900, Asian 700, Other 340, Indigenous 60")),
    (("606", "607"), shares("White 6300, Black 2800, Asian 500, Other 360, Indigenous 40")),
    (("900", "941"), shares("White 5900, Asian 2400, Other 900, Black 700, Indigenous 100")),
    ((), shares("White 7700, Black 1500, Asian 500, Other 250, Indigenous 50")),
)

COUNTRY_BY_RACE = (
    (("Asian",), shares("United-States 5200, China 1700, India 1500, Philippines 1000, Vietnam 600")),
    (("Other",), shares("United-States 5600, Mexico 2600, Guatemala 900, Brazil 900")),
    (("Black",), shares("United-States 8900, Haiti 500, Jamaica 400, Nigeria 200")),
    ((), shares("United-States 9400, Germany 200, Canada 200, Poland 120, Italy 80")),
)

# Below which age, then the shares.
MARITAL_BY_AGE = (
    (25, shares("Never-married 8600, Married 1250, Separated 80, Divorced 70")),
    (35, shares("Married 5200, Never-married 3700, Divorced 700, Separated 380, Widowed 20")),
    (50, shares("Married 6400, Divorced 1700, Never-married 1400, Separated 400, Widowed 100")),
    (65, shares("Married 6600, Divorced 1900, Never-married 700, Widowed 500, Separated 300")),
    (200, shares("Married 5300, Widowed 3100, Divorced 1050, Never-married 450, Separated 100")),
)

EDUCATION_BY_AGE = (
    (20, shares("11th 3000, HS-grad 2600, 12th 2300, Some-college 1500, 10th 600")),
    (
        60,
        shares(
            "HS-grad 2900, Bachelors 2300, Some-college 2200, Masters 1000, Assoc 850, 11th 250, 10th 200, "
            "Doctorate 170, 12th 80, 9th 50"
        ),
    ),
    (
        200,
        shares(
            "HS-grad 3900, Some-college 1700, Bachelors 1400, 10th 900, 9th 700, Masters 600, Assoc 400, 11th 250, "
            "Doctorate 100, 12th 50"
        ),
    ),
)

WORKCLASSES = shares("Private 7000, Self-employed 1100, Local-gov 900, State-gov 550, Federal-gov 430, Without-pay 20")

OCCUPATION_BY_EDUCATION = (
    (("Masters", "Doctorate"), shares("Professional 5600, Executive 2500, Sales 700, Clerical 700, Technical 500")),
    (
        ("Bachelors", "Assoc"),
        shares("Professional 2700, Executive 2300, Clerical 1500, Sales 1500, Technical 1200, Craft 500, Service 300"),
    ),
    (
        (),
        shares(
            "Craft 2000, Service 1900, Clerical 1700, Operator 1500, Sales 1200, Transport 900, Farming 500, "
            "Executive 300"
        ),
    ),
)

DIAGNOSIS_BY_AGE = (
    (
        35,
        shares("Healthy 5600, Asthma 1300, Depression 1200, Injury 1100, Migraine 600, Diabetes 150, HIV 50"),
    ),
    (
        60,
        shares(
            "Healthy 3900, Hypertension 1900, Depression 1100, Diabetes 1000, Asthma 800, Migraine 600, Injury 500, "
            "Cancer 150, HIV 50"
        ),
    ),
    (
        200,
        shares(
            "Hypertension 3300, Healthy 1900, Diabetes 1700, Heart disease 1500, Cancer 900, Depression 400, Injury 300"
        ),
    ),
)

FIRST_NAMES = {
    "F": "Ada Aisha Anna Bea Carla Diana Elif Fatma Grace Hana Ines Julia Kim Lena Mei Nora".split(),
    "M": "Adam Ali Ben Carlos David Emil Felix George Hugo Ivan Jamal Karl Liam Milan Omar Paul".split(),
}
LAST_NAMES = (
    "Adams Baker Chen Diaz Evans Fischer Garcia Haddad Ito Jones Kaya Lopez Meyer Nguyen O'Neil Patel Quinn Rossi "
    "Singh Tanaka"
).split()
