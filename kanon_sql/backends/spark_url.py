"""What a Spark URL says: the master or the Connect server, where the warehouse is, and Spark's own settings."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl

from kanon_sql.errors import JobError
from kanon_sql.frozen import dataclass

FORMS = "spark://local[2], spark://host:7077, sc://host:15002"


@dataclass(frozen=True)
class SparkUrl:
    """`master` is none for Spark Connect, `remote` is none otherwise; `warehouse` is a path or a URI without a slash at its end."""

    master: str | None
    remote: str | None
    warehouse: str
    settings: tuple[tuple[str, str], ...]

    @property
    def local(self) -> bool:
        return self.master is not None and self.master.startswith("local")


def parse_spark_url(url: str, base: Path) -> SparkUrl:
    """Read a URL; `?warehouse=` (default: spark-warehouse) is relative to `base`, `?spark.*=` are settings of the session."""
    if url.lower().startswith("sc://"):
        return SparkUrl(None, url, "", ())
    rest, _, query = url.partition("://")[2].partition("?")
    rest = rest.rstrip("/")
    if re.fullmatch(r"local(\[[\d*, ]+\])?", rest):
        master = rest
    elif re.fullmatch(r"[^/?\[\]]+:\d+(,[^/?\[\]]+:\d+)*", rest):
        master = f"spark://{rest}"
    else:
        raise JobError(f"{url!r} is not a Spark URL", f"known forms are {FORMS}")
    warehouse = "spark-warehouse"
    settings = []
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key == "warehouse":
            warehouse = value
        elif key.startswith("spark."):
            settings.append((key, value))
        else:
            raise JobError(
                f"source.url: {key!r} is not an option of a Spark URL",
                "known are warehouse=… and Spark's own settings, as spark.executor.memory=4g",
            )
    if "://" not in warehouse:
        warehouse = str((base / warehouse).resolve())
    return SparkUrl(master, None, warehouse.rstrip("/"), tuple(settings))
