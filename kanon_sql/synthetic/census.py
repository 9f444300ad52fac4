"""A synthetic census, written as one set-based statement: no row passes through Python, nothing is downloaded.

Every random choice is an integer hash of (row, choice, seed) in arithmetic that no engine can overflow, so the same
rows result on every engine. With p prime and p = 2 (mod 3), `x -> x^3 mod p` is a permutation: person keys are unique.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.synthetic import shares as of
from kanon_sql.synthetic.shares import Shares

# A prime below 2^31 that leaves 2 when divided by 3: a product of two hashes stays below 2^62.
PRIME = 2_147_483_579

CENSUS_COLUMNS: tuple[str, ...] = tuple(
    "person_id full_name sex birth_date age zip race country marital_status education workclass occupation "
    "hours_per_week income bmi insured visits last_visit recorded_at diagnosis free_text".split()
)

# One hash per random choice. Their order is part of the data: a new one goes to the end.
CHOICES: tuple[str, ...] = tuple(
    "person first_name last_name sex age birth_day region district race abroad marital education workclass occupation "
    "hours income bmi insured visits last_visit recorded diagnosis note missing".split()
)


@dataclass(frozen=True)
class Words:
    """What an engine says in its own way: numbers from 0, the integer quotient, the double type."""

    numbers: str
    quotient: str
    double: str


ENGINES: Mapping[str, Words] = {
    "duckdb": Words(numbers="range({rows}) as numbers(i)", quotient="//", double="double"),
    # A bigint series: products of 32-bit integers would overflow.
    "postgresql": Words(
        numbers="generate_series(0::bigint, {rows} - 1) as numbers(i)", quotient="/", double="double precision"
    ),
}


def census_sql(table_name_quoted: str, rows: int, seed: int, dialect: str) -> str:
    """The statement that makes the census table: `rows` people, the same for the same seed on every engine.

    `table_name_quoted` is taken as it is: quoting it is the caller's part.
    """
    if dialect not in ENGINES:
        raise ValueError(f"no census for the dialect {dialect!r}; there is one for {', '.join(sorted(ENGINES))}")
    if not 0 < rows < PRIME:
        raise ValueError(f"the census needs between 1 and {PRIME - 1:,} rows, not {rows:,}")
    words = ENGINES[dialect]
    div = words.quotient
    return f"""create table {table_name_quoted} as
with mixed as (
    select
{_mixed(seed)}
    from {words.numbers.format(rows=rows)}
),
hashed as (
    select
{_hashed()}
    from mixed
),
people as (
    select
        hashed.*,
        {_pick("sex", of.SEXES)} as sex_code,
        {_age("age")} as years,
        {_pick("region", of.REGIONS)} as region_code
    from hashed
),
described as (
    select
        people.*,
        date '2025-12-31' - cast(years * 1461 {div} 4 + birth_day % 365 as integer) as born,
        {_within("region_code", of.RACE_BY_REGION, "race")} as race_name,
        {_below("years", of.MARITAL_BY_AGE, "marital")} as marital_name,
        case
            when missing % 1000 = 7 then null
            else {_below("years", of.EDUCATION_BY_AGE, "education")}
        end as education_name,
        case
            when years < 20 then hours % 100 < 35
            when years < 65 then hours % 100 < 88
            else hours % 100 < 10
        end as works,
        case
            when years < 35 then visits % 100 {div} 30
            when years < 65 then visits % 100 {div} 18
            else visits % 100 {div} 9
        end + case when visits {div} 128 % 40 = 0 then visits {div} 8192 % 25 else 0 end as visit_count
    from people
),
employed as (
    select
        described.*,
        case
            when works then {_within("education_name", of.OCCUPATION_BY_EDUCATION, "occupation")}
        end as occupation_name,
        case
            when not works then null
            when years < 20 then 8 + hours {div} 128 % 17
            when hours {div} 128 % 100 < 52 then 40
            when hours {div} 128 % 100 < 68 then 36 + hours {div} 16384 % 4
            when hours {div} 128 % 100 < 82 then 41 + hours {div} 16384 % 15
            when sex_code = 'F' or years > 64 then 15 + hours {div} 16384 % 20
            else 28 + hours {div} 16384 % 30
        end as weekly_hours
    from described
)
select
    cast(1000000000 + person as bigint) as person_id,
    {_names()} as full_name,
    sex_code as sex,
    born as birth_date,
    cast(2025 - extract(year from born) as integer) as age,
    case
        when missing % 1000 = 3 then null
        when district % 10 < 6 then region_code || '01'
        when district % 10 < 9 then region_code || '0' || cast(2 + district {div} 16 % 3 as text)
        else region_code || cast(10 + district {div} 16 % 15 as text)
    end as zip,
    race_name as race,
    {_within("race_name", of.COUNTRY_BY_RACE, "abroad")} as country,
    marital_name as marital_status,
    education_name as education,
    case when works then {_pick("workclass", of.WORKCLASSES)} end as workclass,
    occupation_name as occupation,
    cast(weekly_hours as integer) as hours_per_week,
    case
        when missing % 30 = 13 then null
        else cast(
            cast(
                (
                    coalesce(weekly_hours, 12) * 78000
                    * case
                        when education_name in ('Masters', 'Doctorate') then 9
                        when education_name in ('Bachelors', 'Assoc') then 7
                        else 5
                    end {div} 5
                )
                + income % 1500000
                + case when income {div} 2097152 % 25 = 0 then income % 9000000 else 0 end
                as decimal(15, 0)
            ) * 0.01 as decimal(12, 2)
        )
    end as income,
    cast(
        175 + bmi % 50 + bmi {div} 64 % 40 + least(years, 60) + case when bmi {div} 4096 % 20 = 0 then 90 else 0 end
        as {words.double}
    ) / 10 as bmi,
    case
        when missing % 50 = 11 then null
        else insured % 100 < 70 + least(years, 65) * 2 {div} 5
    end as insured,
    cast(visit_count as integer) as visits,
    case
        when visit_count > 0
        then timestamp '2025-12-31 18:00:00' - interval '1 minute' * cast(last_visit % 525600 as integer)
    end as last_visit,
    to_timestamp(1767225600 - recorded % 31536000) as recorded_at,
    {_below("years", of.DIAGNOSIS_BY_AGE, "diagnosis")} as diagnosis,
    case
        when note % 5 = 0 then null
        when note % 5 = 1 then 'Lives alone since ' || cast(1990 + note {div} 8 % 35 as text) || '.'
        when note % 5 = 2 then 'Asked to be called after ' || cast(1 + note {div} 8 % 11 as text) || ' pm.'
        else 'Form ' || cast(note {div} 8 % 1000000 as text) || ', nothing to add.'
    end as free_text
from employed
"""


def _mixed(seed: int) -> str:
    """A linear form of the row number for each choice, with constants drawn from the seed."""
    constants = random.Random(f"kanon census {seed}")
    # The row number stays below 2^31 and the factor below 2^31: the sum stays below 2^63.
    return ",\n".join(
        f"        (i * {constants.randrange(2**30, PRIME)} + {constants.randrange(PRIME)}) % {PRIME} as {choice}"
        for choice in CHOICES
    )


def _hashed() -> str:
    """The cube of each linear form modulo the prime: no longer linear, still a permutation."""
    return ",\n".join(f"        {choice} * {choice} % {PRIME} * {choice} % {PRIME} as {choice}" for choice in CHOICES)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _pick(choice: str, shares: Shares) -> str:
    """One of the values, each with its share."""
    total, branches = 0, []
    for value, share in shares[:-1]:
        total += share
        branches.append(f"when {choice} % 10000 < {total} then {_literal(value)}")
    return f"case {' '.join(branches)} else {_literal(shares[-1][0])} end"


def _below(number: str, table: Sequence[tuple[int, Shares]], choice: str) -> str:
    """A pick whose shares depend on the first bound that the number stays under."""
    *bounded, (_, rest) = table
    branches = " ".join(f"when {number} < {bound} then {_pick(choice, shares)}" for bound, shares in bounded)
    return f"case {branches} else {_pick(choice, rest)} end"


def _within(column: str, table: Sequence[tuple[Sequence[str], Shares]], choice: str) -> str:
    """A pick whose shares depend on the set that holds the column's value; the last entry is for all others."""
    *sets, (_, rest) = table
    branches = " ".join(
        f"when {column} in ({', '.join(map(_literal, values))}) then {_pick(choice, shares)}" for values, shares in sets
    )
    return f"case {branches} else {_pick(choice, rest)} end"


def _age(choice: str) -> str:
    """An age in years: a band by its share, then evenly within the band."""
    total, branches = 0, []
    for low, high, share in of.AGES:
        total += share
        branches.append(f"when {choice} % 10000 < {total} then {low} + {choice} % {high - low + 1}")
    return f"case {' '.join(branches)} end"


def _names() -> str:
    """A first name that goes with the sex, and a last name."""
    first = " ".join(f"when '{sex}' then {_nth('first_name', names)}" for sex, names in of.FIRST_NAMES.items())
    return f"case sex_code {first} end || ' ' || {_nth('last_name', of.LAST_NAMES)}"


def _nth(choice: str, values: Sequence[str]) -> str:
    branches = " ".join(f"when {position} then {_literal(value)}" for position, value in enumerate(values))
    return f"case {choice} % {len(values)} {branches} end"
