"""The documentation is executed: every prompt in its pages, and every example of the gallery."""

from __future__ import annotations

import doctest
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    p for folder in ("docs", "docs/guide") for p in (ROOT / folder).glob("*.rst") if ">>>" in p.read_text("utf-8")
)
EXAMPLES = sorted((ROOT / "examples").glob("plot_*.py"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where files may be left, and without a window."""
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_prints_what_it_says(page: Path) -> None:
    report: list[str] = []
    text = doctest.DocTestParser().get_doctest(page.read_text("utf-8"), {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(text, out=report.append)
    assert result.attempted
    assert not result.failed, "".join(report)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_runs(example: Path) -> None:
    import matplotlib.pyplot as plt

    try:
        runpy.run_path(str(example))
        assert plt.get_fignums()
    finally:
        plt.close("all")
