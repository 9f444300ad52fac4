"""The report of a run: in a real browser, on paper, on a phone; and never a value of a class below k."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.cli.commands import kanon
from tests.report.browser import Browser, browser
from tests.support import make_table

# What the tests share takes longer to make than they do: on one worker it is made once.
pytestmark = pytest.mark.xdist_group("report")

pytest.importorskip("altair", reason="the extra `report` is not installed")
PLANTED = "Zzyzx-Springs"
HERMIT = "Hermit's <b>Rest</b>"


def columns() -> dict[str, object]:
    towns = ["Aville", "Bville", "Cville", "Dville", PLANTED, HERMIT]
    return {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "levels": [5, 10, 20, "*"], "rules": [{"cut": 40, "importance": 5}]},
        "town": {
            "role": "quasi",
            "groups": [{"North": towns[:2] + [PLANTED], "South": [*towns[2:4], HERMIT]}, "*"],
            "rules": [{"apart": ["Aville", PLANTED]}, {"apart": ["Aville", "Cville"]}],
        },
        "sex": {"role": "quasi"},
        "diagnosis": {"role": "sensitive"},
    }


@pytest.fixture(scope="module")
def job_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job about people of whom one lives where nobody else does, is 97, and has an illness of his own."""
    folder = tmp_path_factory.mktemp("report")
    towns = ["Aville", "Bville", "Cville", "Dville"]
    rows: list[tuple[object, ...]] = [
        (f"person-{i}", 20 + i * 7 % 45, towns[i * 11 % 4], "FM"[i * 5 % 2], f"illness {i * 3 % 4}") for i in range(600)
    ]
    rows += [("person-x", 97, PLANTED, "M", "illness 0"), ("person-y", 31, HERMIT, "F", "illness 1")]
    definitions = ["id varchar(20)", "age integer", "town varchar(40)", "sex varchar(1)", "diagnosis varchar(40)"]
    make_table(f"duckdb:///{folder / 'people.duckdb'}", "people", definitions, rows)
    document = {
        "version": 1,
        "source": {"url": "duckdb:///people.duckdb", "table": "people"},
        "privacy": {"k": 4, "suppression": 0.02},
        "columns": columns(),
        "utility": {"metric": "glm"},
        "publish": {"table": "release.people"},
    }
    path = folder / "job.yml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return path


@pytest.fixture(scope="module")
def page(job_file: Path) -> Path:
    found = kanon("pareto", job_file, "--json")
    assert found.exit_code == 0, found.err
    target = job_file.parent / "report.html"
    typed = kanon("run", job_file, "--report", target, "--json")
    assert typed.exit_code == 0, typed.err
    return target


def content(page: Path) -> str:
    """The page without the library that draws: all that was written about the run."""
    text = page.read_text(encoding="utf-8")
    scripts = re.findall(r"<script>.*?</script>", text, flags=re.DOTALL)
    assert max(map(len, scripts)) > 500_000, "Vega is in the file"
    return re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)


def test_no_value_of_a_class_below_k(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for secret in (PLANTED, "Zzyzx", HERMIT, "Hermit", "Rest</b>", "person-", ">97<", '"97"', "illness"):
        assert secret not in text, secret
    assert "Aville" in content(page), "a rule about frequent values is spelled out"
    assert "a rule about a value that fewer than 4 rows have" in content(page)


def test_what_the_page_tells(page: Path, job_file: Path) -> None:
    text = content(page)
    for words in (
        "What was published, and why",
        "What is guaranteed",
        "Before and after",
        "How many look alike",
        "Rules kept and broken",
        "How the search got there",
        "Every k worth choosing",
        "Risk and guards",
        "For the auditor",
        "checks/frequency_sets",
        "verified",
        "cut at 40",
        f"kanon run {job_file.name} --at-k",
    ):
        assert words in text, words
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "src=" not in text
    specs = json.loads(re.search(r'id="chart-specs">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    assert set(specs) == {"sizes", "loss", "worth", "path", "timeline", "frontier"}
    for name in specs:
        place = re.search(rf'id="chart-{name}" role="(img|group)" aria-label="([^"]+)"', text)
        assert place, f"{name} has a text for those who do not see it"
    assert text.count("Table behind the chart") == 5


def test_report_of_an_earlier_run_and_its_mistakes(page: Path, job_file: Path) -> None:
    run = json.loads(kanon("history", job_file, "--json").out)["runs"][0]["run"]
    typed = kanon("report", run, job_file, "-o", job_file.parent / "again.html", "--json")
    assert typed.exit_code == 0, typed.err
    assert json.loads(typed.out)["run"] == run
    assert PLANTED not in (job_file.parent / "again.html").read_text()
    assert kanon("report", "nonsense", job_file, "-o", job_file.parent / "x.html").exit_code == 3
    assert not (job_file.parent / "x.html").exists()


@pytest.fixture(scope="module")
def driven() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def visible_panel(driven: Browser) -> str:
    """The text of the one panel that is shown."""
    shown = "[...document.querySelectorAll('[data-point-panel]')].filter(panel => !panel.hidden).map(panel => panel.textContent)"
    [text] = driven.run(f"return {shown}")
    return str(text)


@pytest.mark.parametrize("width", [1200, 390])
def test_in_a_browser(page: Path, driven: Browser, width: int) -> None:
    driven.post("url", {"url": "about:blank"})
    driven.logs("browser")
    driven.requests()
    driven.open(page, width)
    assert driven.logs("browser") == [], "nothing on the console"
    outside = [url for url in driven.requests() if not url.startswith(("data:", page.resolve().as_uri()))]
    assert outside == [], "no request leaves the file"
    assert driven.run("return document.documentElement.scrollWidth") <= width
    assert driven.run("return document.querySelectorAll('.chart svg').length") == 6
    wide = "return [...document.querySelectorAll('.chart svg')].filter(x => x.getBoundingClientRect().right > innerWidth).length"
    assert driven.run(wide) == 0


def test_clicking_a_point_of_the_frontier(page: Path, driven: Browser) -> None:
    driven.open(page, 1200)
    before = visible_panel(driven)
    driven.run("document.getElementById('chart-frontier').scrollIntoView({block: 'center', behavior: 'instant'})")
    marks = "#chart-frontier .mark-symbol.role-mark path"
    where = (
        f"const all = [...document.querySelectorAll('{marks}')]; const r = all[all.length - 1].getBoundingClientRect();"
        "return [r.x + r.width / 2, r.y + r.height / 2, all.length]"
    )
    x, y, count = driven.run(where)
    assert count > 2
    driven.click(x, y)
    after = visible_panel(driven)
    assert after != before
    assert "kanon run job.yml --at-k" in after
    assert "level" in after


def test_picking_a_point_by_keyboard(page: Path, driven: Browser) -> None:
    driven.open(page, 1200)
    driven.run(
        "document.querySelectorAll('details').forEach(d => d.open = true); document.querySelector('button.pick').focus()"
    )
    keys = [{"type": "keyDown", "value": "\ue007"}, {"type": "keyUp", "value": "\ue007"}]
    driven.post("actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})
    assert "Point 1:" in visible_panel(driven)
    assert driven.run("return document.querySelector('button.pick').getAttribute('aria-pressed')") == "true"


def test_on_paper(page: Path, driven: Browser) -> None:
    driven.open(page, 1200)
    pdf = driven.pdf()
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 50_000


def test_the_browser_is_named_when_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(pytest.skip.Exception, match="no browser"), browser():
        pass


def test_on_every_engine(engine_url: str, tmp_path: Path) -> None:
    """The gathering is SQL, so it is asked of each engine; persons of several rows count once."""
    rows = [(i // 2, 20 + i // 2 * 3 % 30, "abc"[i // 2 % 3]) for i in range(200)] + [(999, 97, "Lonely-Place")] * 6
    make_table(engine_url, "people", ["person integer", "age integer", "town varchar(20)"], rows)
    document = {
        "version": 1,
        "source": {"url": engine_url, "table": "people", "person": "person"},
        "privacy": {"k": 3, "suppression": 0.05},
        "columns": {
            "person": {"role": "identifier"},
            "age": {"role": "quasi", "levels": [10, "*"]},
            "town": {"role": "quasi"},
        },
        "publish": {"table": "release.people"},
    }
    job = tmp_path / "job.yml"
    job.write_text(yaml.safe_dump(document, sort_keys=False))
    typed = kanon("run", job, "--report", tmp_path / "page.html", "--json")
    assert typed.exit_code == 0, typed.err
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Lonely-Place" not in text, "six rows, but one person"
    assert ">97<" not in text
    assert "What is guaranteed" in text
