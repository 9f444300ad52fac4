"""One HTML file that opens offline: a template, its charts as Vega-Lite, and Vega itself inside the file. No network, ever."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from kanon_sql.pages.written_file import write_file
from kanon_sql.results import installed


def templates() -> Path:
    """Where the pages' templates lie."""
    return Path(str(files("kanon_sql.pages"))) / "templates"


def needed(module: str) -> Any:
    """A module of the extra `report`."""
    return installed(module, "report")


def render_page(template: str, charts: Mapping[str, Any], **content: object) -> str:
    """A page from its template; `charts` are altair charts by the id of their place in it. Everything is escaped."""
    jinja2 = import_module("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(templates())),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure"] = figure
    environment.filters["share"] = share
    safe = import_module("markupsafe").Markup
    specs = {name: chart.to_dict() for name, chart in charts.items()}
    page: str = environment.get_template(template).render(
        charts=sorted(charts),
        specs=safe(in_script(json.dumps(specs, default=str, sort_keys=True))),
        vega=safe(_vega()),
        style=safe((templates() / "page.css").read_text(encoding="utf-8")),
        script=safe((templates() / "page.js").read_text(encoding="utf-8")),
        **content,
    )
    return page


def write_page(path: Path, text: str) -> None:
    """Write a page; its folder is made if need be."""
    write_file(path, text)


def in_script(text: str) -> str:
    """JSON that may stand within a script element: nothing in it can end the element."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@lru_cache(maxsize=1)
def _vega() -> str:
    """Vega, Vega-Lite and vega-embed in one piece."""
    bundle: str = needed("vl_convert").javascript_bundle()
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def figure(value: object) -> str:
    """A figure as people read it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if value == int(value) and abs(value) >= 1000:
            return f"{int(value):,}"
        return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
    return str(value)


def share(value: float | None) -> str:
    """A share in percent."""
    if value is None:
        return "–"
    percent = 100 * value
    return f"{percent:.0f} %" if percent in (0, 100) else f"{percent:.2g} %" if percent < 10 else f"{percent:.1f} %"
