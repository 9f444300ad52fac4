"""Whether Spark can run here, and a real cluster on this machine for the tests that kill parts of it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

OLDEST_JAVA = 17


@cache
def spark_is_missing() -> str | None:
    """Why Spark cannot be tested here; None when it can."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not Path(java).exists():
        return f"Spark is left out: it needs Java {OLDEST_JAVA} or newer, and there is none here"
    told = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False).stderr
    found = re.search(r'version "(\d+)', told)
    if found is None or int(found[1]) < OLDEST_JAVA:
        return f"Spark is left out: it needs Java {OLDEST_JAVA} or newer, here is {found[1] if found else 'an unknown one'}"
    if importlib.util.find_spec("pyspark") is None:
        return "Spark is left out: pyspark is not installed (pip install -e '.[spark]')"
    return None
