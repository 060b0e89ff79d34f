"""A real browser for tests of the page: the system's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

__all__ = ["EXPLORER", "Visit", "axe_source", "chromium", "launched"]

EXPLORER = Path(__file__).parents[2] / "explorer"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# as root there is no sandbox to be had; the others keep the browser from asking the network for anything
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
]


def chromium() -> str:
    """The path of the system's Chromium; the test skips where there is none."""
    given = os.environ.get("CLEARWOOD_CHROMIUM")
    found = given or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no Chromium on this machine; install it (apt install chromium) or name it in CLEARWOOD_CHROMIUM")
    return found


@contextmanager
def launched() -> Iterator[Any]:
    """A running browser; the test skips where it or Playwright is absent."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = chromium()
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        browser.close()


def axe_source() -> str:
    """axe-core as text; the test skips where explorer/node_modules is absent."""
    file = EXPLORER / "node_modules" / "axe-core" / "axe.min.js"
    if not file.exists():
        pytest.skip("axe-core is absent: run make explorer")
    return file.read_text(encoding="utf-8")


class Visit:
    """A page that is open in a tab, and all that went wrong there."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.complaints: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", lambda request: self.requests.append(request.url))

    def open(self, file: Path, address: str = "") -> None:
        self.tab.goto(file.as_uri() + address)
        self.tab.wait_for_selector("#clearwood[data-ready]", timeout=30_000)

    def js(self, source: str, argument: Any = None) -> Any:
        return self.tab.evaluate(source, argument)

    def state(self, key: str) -> Any:
        return self.js("(key) => clearwood.app.store.state[key]", key)

    def set(self, **patch: Any) -> None:
        self.js("(patch) => clearwood.app.store.set(patch)", patch)

    def address(self) -> str:
        """What the address says of the state, which is written a moment after a change."""
        self.tab.wait_for_timeout(250)
        return "#" + self.js("() => location.hash.slice(1)")

    def text(self, selector: str) -> str:
        """What an element says, on one line."""
        return " ".join(self.tab.locator(selector).first.inner_text().split())

    def words(self, selector: str) -> str:
        """All text inside an element, on one line, whether or not it is in sight."""
        return " ".join(self.tab.locator(selector).first.text_content().split())

    def check(self) -> None:
        """Nothing was complained of, and nothing was fetched."""
        assert not self.complaints, self.complaints
        foreign = [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]
        assert not foreign, foreign
