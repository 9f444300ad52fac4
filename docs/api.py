"""The API reference, from the docstrings: `make docs`, or `python docs/api.py DIRECTORY`.

What is public is what `kanon_sql.__all__` names, and the whole tree of errors.
"""

from __future__ import annotations

import sys
from pathlib import Path

import kanon_sql

PAGES = ["kanon_sql", r"!kanon_sql\..+", "kanon_sql.errors"]


def write(directory: Path) -> list[str]:
    """Write the pages; returns the public names they show."""
    import pdoc

    for name in kanon_sql.__all__:
        # Public names are imported when first asked for; pdoc shows those that are there.
        setattr(kanon_sql, name, getattr(kanon_sql, name))
    pdoc.render.configure(docformat="markdown", show_source=False, footer_text=f"kanon_sql {kanon_sql.__version__}")
    pdoc.pdoc(*PAGES, output_directory=directory)
    return list(kanon_sql.__all__)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    names = write(target)
    print(f"{target / 'index.html'}: {len(names)} public names")
