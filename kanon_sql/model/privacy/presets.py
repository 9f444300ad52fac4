"""Risk presets: what `privacy.risk` sets, exactly.

A preset sets k so that 1/k, the largest chance of linking a record, does not pass its threshold (a threshold of 0.09 means
k = 12, for 1/11 > 0.09), and the least level of three kinds of quasi-identifiers:
dates (columns of a date type), postal codes (text columns whose name says so) and ages (numeric columns whose name says so).
"""

from __future__ import annotations

import math
import re

from kanon_sql.frozen import dataclass

POSTAL_NAME = re.compile(r"(^|_|\b)(zip|zip_?code|postal_?code|post_?code|postcode|postal|plz)(_|\b|$)", re.IGNORECASE)
AGE_NAME = re.compile(r"(^|_|\b)(age|alter)(_|\b|$)", re.IGNORECASE)


def k_of_threshold(threshold: float) -> int:
    """The least k with 1/k <= threshold."""
    k = math.ceil(1 / threshold)
    while k > 1 and 1 / (k - 1) <= threshold:
        k -= 1
    while 1 / k > threshold:
        k += 1
    return k


@dataclass(frozen=True)
class Preset:
    """`date_part`: the finest calendar part published; `postal_length`: the most characters of a postal code;
    `top_age`: ages from here on are one group; `age_width`: the least width of an age interval (1: single years)."""

    name: str
    threshold: float
    date_part: str
    postal_length: int
    top_age: int
    age_width: int
    source: str

    @property
    def k(self) -> int:
        return k_of_threshold(self.threshold)

    @property
    def statement(self) -> str:
        """What it sets, in one sentence."""
        width = "single years" if self.age_width == 1 else f"intervals of {self.age_width} years or wider"
        return (
            f"risk: {self.name} sets k = {self.k} (largest risk of linking a record {self.threshold:g}), dates no finer than the "
            f"{self.date_part}, postal codes of {self.postal_length} characters at most, ages in {width} with all from "
            f"{self.top_age} on in one group. {self.source}"
        )


PRESETS = {
    "hipaa": Preset(
        "hipaa",
        1 / 11,
        "year",
        3,
        90,
        1,
        "Dates, postal codes and ages follow the Safe Harbor list (45 CFR 164.514(b)(2)), k the cell size of 11 that CMS asks for. "
        "It does not replace the remaining items of that list, nor the rule that a three-digit ZIP area has more than 20,000 people.",
    ),
    "ema": Preset(
        "ema",
        0.09,
        "month",
        3,
        90,
        5,
        "The threshold of 0.09 is the one of the European Medicines Agency's Policy 0070 guidance; the levels are this program's.",
    ),
    "strict": Preset("strict", 0.05, "year", 2, 85, 10, "Threshold and levels are this program's."),
}
