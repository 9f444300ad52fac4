"""weighted_ncp: the normalized certainty penalty with the job's weights: what a search for ncp minimises."""

from __future__ import annotations

import dataclasses

from kanon_sql.metrics import ncp

MEASURE = dataclasses.replace(ncp.MEASURE, together="weighted")
