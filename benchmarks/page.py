"""Page: how long the browser's main thread works for one step, on a tree of two thousand leaves."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.row import Row
from clearwood import CARTClassifier, Column, Page, Table

NAME = "page"
GOAL = 0.1
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
STEPS: dict[str, list[dict[str, Any]]] = {
    "select a node": [{"set": {"node": node}} for node in (2, 5, 9, 12, 0)],
    "unfold all": [{"press": "Unfold all"}],
    "show the whole tree": [{"press": "Show the whole tree"}],
    "select a leaf": [{"set": {"node": node}} for node in range(1500, 2500, 100)],
    "zoom": [{"press": "Zoom in"}, {"press": "Zoom in"}, {"press": "Zoom out"}],
    "search": [{"set": {"search": "north"}}, {"set": {"search": ""}}],
    "another direction": [{"set": {"arrangement": way}} for way in ("down", "list", "map", "right")],
    "another tree": [{"set": {"entry": entry}} for entry in (0, 1, 0)],
    "another panel": [{"set": {"tab": tab}} for tab in ("node", "try", "compare", "report", "rules")],
    "steer at the root": [{"set": {"tab": "steer", "node": 0}}],
}
DO = """(step) => {
  if (step.set) clearwood.app.store.set(step.set);
  else document.querySelector(`[aria-label="${step.press}"]`).click();
}"""


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark; none where there is no Chromium or Playwright."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        return
    n_leaves = 200 if quick else 2000
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = sample(n_leaves).write(Path(folder) / "page.html")
        opened = driver.chromium.launch(executable_path=browser, args=FLAGS)
        best: dict[str, float] = {}
        for _ in range(repeat):
            for what, seconds in steps(opened, file):
                best[what] = min(best.get(what, np.inf), seconds)
        opened.close()
    for what, seconds in best.items():
        goal, reached = ("", None) if quick else (f"≤ {GOAL:g} s", seconds <= GOAL)
        yield Row(NAME, f"{n_leaves:,} leaves", what, seconds, goal=goal, reached=reached, note="worst of its kind")


def sample(n_leaves: int) -> Page:
    """A chessboard of many fields: two trees, one with a leaf less."""
    rng = np.random.default_rng(0)
    east, north = rng.random((2, 6 * n_leaves))
    fields = round(n_leaves**0.5) + 5
    black = (np.floor(fields * east) + np.floor(fields * north)) % 2
    columns = [Column("east"), Column("north")]
    table = Table(columns, [east, north], target=Column("field", ("white", "black")), y=black.astype(int))
    return Page([CARTClassifier(pruning=None, max_leaves=n).fit(table).tree_ for n in (n_leaves - 1, n_leaves)], table)


def steps(browser: Any, file: Path) -> Iterator[tuple[str, float]]:
    """For each kind of step the longest time that the main thread was busy with one."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    tab = context.new_page()
    tab.goto(file.as_uri())
    tab.wait_for_selector("#clearwood[data-ready]")
    session = context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # the thread's own time, whatever else runs

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))

    for what, kind in STEPS.items():
        longest = 0.0
        for step in kind:
            before = busy()
            tab.evaluate(DO, step)
            tab.wait_for_timeout(60)  # the frame after it belongs to the step
            longest = max(longest, busy() - before)
        yield what, longest
    context.close()
