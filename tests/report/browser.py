"""A real headless Chromium, driven through ChromeDriver by plain HTTP: no further package is needed."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars"
).split()
SECONDS = 60


class Browser:
    """One page in one browser."""

    def __init__(self, port: int, session: str) -> None:
        self.at = f"http://127.0.0.1:{port}/session/{session}"

    def open(self, page: Path, width: int, height: int = 900) -> None:
        """Open a file in a window of a size, and wait until its charts are drawn."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.cdp("Emulation.setDeviceMetricsOverride", metrics)
        self.post("url", {"url": page.resolve().as_uri()})
        end = time.monotonic() + SECONDS
        while self.run("return document.documentElement.getAttribute('data-ready')") != "yes":
            assert time.monotonic() < end, f"the charts were not drawn in {SECONDS} s: {self.logs('browser')}"
            time.sleep(0.1)

    def run(self, script: str) -> Any:
        return self.post("execute/sync", {"script": script, "args": []})

    def click(self, x: float, y: float) -> None:
        """A real click of the mouse at a place of the window."""
        mouse = [
            {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self.post(
            "actions",
            {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": mouse}]},
        )

    def logs(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.post("se/log", {"type": kind})
        return entries

    def requests(self) -> list[str]:
        """The addresses of all requests so far."""
        messages = [json.loads(entry["message"])["message"] for entry in self.logs("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def cdp(self, command: str, parameters: dict[str, Any]) -> Any:
        return self.post("goog/cdp/execute", {"cmd": command, "params": parameters})

    def screenshot(self, path: Path, whole: bool = True) -> None:
        shot = self.cdp("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self) -> bytes:
        return base64.b64decode(self.post("print", {}))

    def post(self, what: str, body: dict[str, Any]) -> Any:
        return _post(f"{self.at}/{what}", body)


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Chromium and its driver, ended at the end; the test is skipped where they are not installed."""
    driver = shutil.which("chromedriver")
    program = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    if driver is None or program is None:
        pytest.skip("no browser: install Debian's chromium and chromium-driver to drive the page")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wanted = {
                "goog:chromeOptions": {"binary": program, "args": [*FLAGS, f"--user-data-dir={profile}"]},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }
            session = _started(port, {"capabilities": {"alwaysMatch": wanted}})
            yield Browser(port, session)
            with contextlib.suppress(urllib.error.URLError):
                urllib.request.urlopen(
                    urllib.request.Request(f"http://127.0.0.1:{port}/session/{session}", method="DELETE"),
                    timeout=SECONDS,
                )
        finally:
            process.terminate()
            process.wait(timeout=SECONDS)


def _started(port: int, wanted: dict[str, Any]) -> str:
    end = time.monotonic() + SECONDS
    while True:
        try:
            return str(_post(f"http://127.0.0.1:{port}/session", wanted)["sessionId"])
        except (urllib.error.URLError, ConnectionError):
            assert time.monotonic() < end, "ChromeDriver did not start"
            time.sleep(0.2)


def _post(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise AssertionError(error.read().decode(errors="replace")[:500]) from error
