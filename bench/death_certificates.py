"""A table like the thesis's death certificates: 36 attributes with one to six levels, skewed, with outliers.

The attributes are those of the thesis's table 3; their values are made up here. Injury attributes are filled for few
rows, places follow each other, and every long-tailed code has values that occur once or twice.
"""

from __future__ import annotations

from typing import Any

from bench.choices import between, choose, hashed, pick, shares, skewed

ROWS = 216_000

# Census division by state, and region by division: the hierarchy file of the state of birth.
DIVISIONS = {
    "East North Central": "IN IL OH MI WI",
    "East South Central": "KY TN AL MS",
    "South Atlantic": "GA FL NC SC VA WV MD DE DC",
    "West South Central": "TX AR LA OK",
    "West North Central": "MO IA KS NE MN SD ND",
    "Middle Atlantic": "NY NJ PA",
    "New England": "MA CT ME NH VT RI",
    "Mountain": "CO AZ NM UT NV ID MT WY",
    "Pacific": "CA WA OR HI AK",
    "Abroad": "ZZ",
}
REGIONS = {
    "East North Central": "Midwest",
    "West North Central": "Midwest",
    "East South Central": "South",
    "South Atlantic": "South",
    "West South Central": "South",
    "Middle Atlantic": "Northeast",
    "New England": "Northeast",
    "Mountain": "West",
    "Pacific": "West",
    "Abroad": "Abroad",
}
STATES = [state for states in DIVISIONS.values() for state in states.split()]
STATE_SHARES = tuple(
    (state, 14000 if state == "IN" else max(2, 1200 // (place + 1))) for place, state in enumerate(STATES)
)

RACE = shares("White 7250, Black 2500, Latino 130, Asian 70, Other 30, Unknown 20")
MANNERS = (
    ("age_days < 16000", shares("Natural 5200, Accident 2300, Homicide 1300, Suicide 1000, Undetermined 200")),
    (None, shares("Natural 9500, Accident 330, Suicide 90, Homicide 50, Undetermined 25, Pending 5")),
)
MARITAL = (
    ("age_days < 9000", shares("Never-married 9000, Married 800, Divorced 150, Unknown 50")),
    ("age_days < 25000", shares("Married 5200, Divorced 2400, Never-married 1600, Widowed 700, Unknown 100")),
    (None, shares("Widowed 5100, Married 3500, Divorced 850, Never-married 500, Unknown 50")),
)
EDUCATION = shares(
    "12 4600, 8 1300, 16 900, 14 850, 10 600, 11 500, 13 350, 9 300, 17 250, 6 120, 7 110, 15 60, 5 40, 0 20, 99 10"
)
INJURED = "manner_of_death in ('Accident', 'Homicide', 'Suicide')"

CHOICES = (
    "race sex age industry autopsy tract certifier citizenship city_of_birth died disposition education farm informant "
    "hours_of_injury injury_tract injury_county injury_delay manner marital military vehicle occupation city_of_death "
    "place state_of_death zip_of_death pregnant state_of_birth veteran zip time_of_death outlier"
).split()


def statements(rows: int = ROWS, seed: int = 1) -> list[str]:
    """What makes the table `death_certificates`."""
    return [
        f"""create or replace table death_certificates as
with drawn as (
    {hashed(f"range({rows}) as numbers(n)", "n", CHOICES, seed)}
),
died as (
    select
        drawn.*,
        {pick("race", RACE)} as race,
        {pick("sex", shares("M 5030, F 4960, U 3"))} as sex,
        case
            when h_outlier % 4000 = 0 then 38000 + h_age % 3000
            else {
            between(
                "age",
                (
                    (0, 30, 90),
                    (31, 7300, 210),
                    (7301, 16000, 700),
                    (16001, 24000, 2500),
                    (24001, 29000, 3200),
                    (29001, 33500, 2900),
                    (33501, 37900, 400),
                ),
            )
        }
        end as age_days,
        date '1997-01-01' + cast(h_died % 4380 as integer) as date_of_death,
        {skewed("zip", 60)} as zip_number,
        {skewed("city_of_death", 45, 6)} as city_number,
        {skewed("occupation", 480, 2)} as occupation_number,
        {skewed("industry", 230, 2)} as industry_number
    from drawn
),
described as (
    select
        died.*,
        {choose(MANNERS, "manner")} as manner_of_death,
        {choose(MARITAL, "marital")} as marital_status,
        case when age_days < 6600 then '0' else {pick("education", EDUCATION)} end as years_of_education,
        sex = 'M' and age_days > 7000 and h_veteran % 100 < case when age_days > 24000 then 52 else 14 end as veteran,
        {pick("state_of_birth", STATE_SHARES)} as state_of_birth
    from died
),
injured as (
    select
        described.*,
        {INJURED} as injured,
        manner_of_death = 'Accident' and h_vehicle % 100 < 38 as vehicle
    from described
)
select
    race,
    sex,
    cast(age_days as integer) as age_in_days,
    case when cast(years_of_education as integer) between 13 and 17 then 'Y' else 'N' end as college,
    printf('%03d', industry_number) as industry,
    case when injured or h_autopsy % 100 < 6 then 'Y' when h_autopsy % 1000 = 999 then 'U' else 'N' end as autopsy,
    case when h_outlier % 900 = 1 then null else printf('%06d', 310000 + zip_number * 100 + h_tract % 8) end
        as census_tract,
    {
            choose(
                (
                    ("injured", shares("Coroner 9900, Physician 90, Health-officer 10")),
                    (None, shares("Physician 9350, Coroner 600, Health-officer 49, Other 1")),
                ),
                "certifier",
            )
        }
        as cause_of_death_certifier_type,
    {
            choose(
                (
                    (
                        "state_of_birth = 'ZZ'",
                        shares("US 5500, Mexico 1800, Germany 700, Canada 500, India 400, Other 1100"),
                    ),
                    (None, shares("US 99990, Mexico 5, Canada 3, Other 2")),
                ),
                "citizenship",
            )
        } as citizenship,
    state_of_birth || printf('%03d', {skewed("city_of_birth", 400, 5)}) as city_of_birth,
    date_of_death - cast(age_days as integer) as date_of_birth,
    date_of_death,
    {pick("disposition", shares("Burial 7600, Cremation 2000, Removal 330, Donation 40, Entombment 25, Other 5"))}
        as disposition_method,
    cast(years_of_education as integer) as education,
    case when h_farm % 1000 < 12 then 'Y' else 'N' end as farm,
    {
            choose(
                (
                    (
                        "marital_status = 'Married'",
                        shares("Spouse 7900, Child 1500, Sibling 200, Friend 80, Other 320"),
                    ),
                    ("age_days < 9000", shares("Parent 8800, Sibling 500, Other 700")),
                    (None, shares("Child 6400, Sibling 1200, Other 900, Friend 500, Parent 400, Institution 600")),
                ),
                "informant",
            )
        }
        as informant_relationship,
    case when injured then case when h_hours_of_injury % 1440 < 720 then 'AM' else 'PM' end end as injury_am_pm,
    case when injured then printf('%06d', 310000 + zip_number * 100 + h_injury_tract % 12) end as injury_census,
    case when injured then printf('%03d', {skewed("injury_county", 92, 7)}) end as injury_county_code,
    case
        when injured
        then date_of_death - cast(case when h_injury_delay % 10 < 8 then 0 else h_injury_delay % 90 end as integer)
    end as injury_date,
    manner_of_death,
    marital_status,
    case when veteran then {
            pick("military", shares("Army 5600, Navy 2300, Air-Force 1100, Marines 900, Coast-Guard 100"))
        } end
        as military,
    case when vehicle then 'Y' when injured then 'N' end as motor_vehicle_accident,
    printf('%02d', occupation_number // 20) as occupation_category,
    printf('%03d', occupation_number) as occupation_code,
    printf('C%02d', city_number) as place_of_death_city,
    {
            pick(
                "place",
                shares("Hospital 4700, Home 2400, Nursing-home 2050, Emergency 600, Hospice 150, Other 98, Unknown 2"),
            )
        }
        as place_of_death_code,
    case when h_state_of_death % 500 > 0 then 'IN' else {
            pick("state_of_death", STATE_SHARES)
        } end as place_of_death_state,
    printf('%05d', 46200 + case when h_zip_of_death % 10 < 6 then zip_number else {skewed("zip_of_death", 60, 2)} end)
        as place_of_death_zip,
    case when sex = 'F' and age_days between 4500 and 18000 then
        {pick("pregnant", shares("N 9700, U 250, Y 50"))} end as pregnant,
    state_of_birth,
    case when veteran then 'Y' when h_outlier % 300 = 7 then 'U' else 'N' end as us_vet,
    case when h_outlier % 700 = 3 then null else printf('%05d', 46200 + zip_number) end as zipcode,
    case when injured then cast(h_hours_of_injury % 1440 as integer) end as injury_time,
    case when h_outlier % 60 = 5 then null else cast(h_time_of_death % 1440 as integer) end as time_of_death
from injured"""
    ]


def _groups(*levels: dict[str, str]) -> dict[str, Any]:
    return {
        "role": "quasi",
        "groups": [*({label: words.split() for label, words in level.items()} for level in levels), "*"],
    }


def _levels(*levels: Any, kind: str | None = None) -> dict[str, Any]:
    return {"role": "quasi", **({"type": kind} if kind else {}), "levels": [*levels, "*"]}


def _prefixes(*lengths: int) -> dict[str, Any]:
    return _levels(*({"prefix": length} for length in lengths))


def columns() -> dict[str, dict[str, Any]]:
    """The columns of the job file: 36 quasi-identifiers, one to six levels above the value."""
    return {
        "race": _groups(
            {"White": "White", "Black": "Black", "Latino": "Latino", "Other": "Asian Other Unknown"},
            {"White": "White", "Black": "Black", "Other": "Latino Asian Other Unknown"},
            {"White": "White", "Other": "Black Latino Asian Other Unknown"},
        ),
        "sex": _levels(),
        "age_in_days": _levels(365, 1825, 3650, 7300, 14600, kind="numeric"),
        "college": _levels(),
        "industry": _prefixes(2, 1),
        "autopsy": _groups({"Y": "Y", "N": "N U"}),
        "census_tract": _prefixes(5, 4, 3, 2),
        "cause_of_death_certifier_type": _groups(
            {"Physician": "Physician", "Official": "Coroner Health-officer Other"}
        ),
        "citizenship": _groups({"US": "US", "Other": "Mexico Germany Canada India Other"}),
        "city_of_birth": _prefixes(4, 3, 2, 1),
        "date_of_birth": _levels("month", "quarter", "year", "decade", kind="date"),
        "date_of_death": _levels("month", "quarter", "year", "decade", kind="date"),
        "disposition_method": _groups(
            {"Burial": "Burial Entombment", "Cremation": "Cremation", "Other": "Removal Donation Other"}
        ),
        "education": _levels(2, 4, 8, 16, kind="numeric"),
        "farm": _levels(),
        "informant_relationship": _groups(
            {"Spouse": "Spouse", "Family": "Child Parent Sibling", "Other": "Friend Institution Other"},
            {"Family": "Spouse Child Parent Sibling", "Other": "Friend Institution Other"},
        ),
        "injury_am_pm": _levels(),
        "injury_census": _prefixes(5, 4, 3),
        "injury_county_code": _prefixes(2, 1),
        "injury_date": _levels("month", "quarter", "year", "decade", kind="date"),
        "manner_of_death": _groups(
            {
                "Natural": "Natural",
                "Accident": "Accident",
                "Violence": "Homicide Suicide",
                "Unknown": "Undetermined Pending",
            },
            {"Natural": "Natural", "Other": "Accident Homicide Suicide Undetermined Pending"},
        ),
        "marital_status": _groups(
            {"Married": "Married", "Was-married": "Widowed Divorced", "Single": "Never-married Unknown"},
            {"Married": "Married", "Not-married": "Widowed Divorced Never-married Unknown"},
        ),
        "military": _groups({"Army": "Army", "Other": "Navy Air-Force Marines Coast-Guard"}),
        "motor_vehicle_accident": _levels(),
        "occupation_category": _prefixes(1),
        "occupation_code": _prefixes(2, 1),
        "place_of_death_city": _prefixes(2),
        "place_of_death_code": _groups(
            {
                "Hospital": "Hospital Emergency",
                "Home": "Home",
                "Care": "Nursing-home Hospice",
                "Other": "Other Unknown",
            },
            {"Institution": "Hospital Emergency Nursing-home Hospice", "Elsewhere": "Home Other Unknown"},
        ),
        "place_of_death_state": _levels(),
        "place_of_death_zip": _prefixes(4, 3),
        "pregnant": _levels(),
        "state_of_birth": {"role": "quasi", "hierarchy": "hierarchies/state_of_birth.csv"},
        "us_vet": _groups({"Y": "Y", "N": "N U"}),
        "zipcode": _prefixes(4, 3),
        "injury_time": _levels(15, 60, 240, 720, kind="numeric"),
        "time_of_death": _levels(15, 60, 120, 240, 720, kind="numeric"),
    }


def hierarchies() -> dict[str, str]:
    """The hierarchy files that the job names, by their path beside it."""
    lines = [
        ";".join([state, division, REGIONS[division], "Abroad" if division == "Abroad" else "United States", "*"])
        for division, states in DIVISIONS.items()
        for state in states.split()
    ]
    return {"hierarchies/state_of_birth.csv": "\n".join(lines) + "\n"}
