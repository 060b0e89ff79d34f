"""Take the pictures of the page that the README and the guide show: ``python docs/images/shoot.py``.

Needs Playwright and the system's Chromium.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer, load_digits

import clearwood as cw

HERE = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


class Picture(NamedTuple):
    """A file, the page that it shows, what the page's address says, and how it is looked at."""

    name: str
    page: cw.Page
    address: str = ""
    size: tuple[int, int] = (1280, 800)
    scheme: str = "light"
    press: tuple[str, ...] = ()


def cells() -> cw.Page:
    """The best trees for the breast cancer data, as ``clearwood explore`` makes them."""
    cancer = load_breast_cancer(as_frame=True)
    table = cw.read(cancer.data.assign(diagnosis=cancer.target_names[cancer.target]), target="diagnosis")
    return cw.explore(table, title="Which cells are malignant?", max_leaves=14, n_jobs=2)


def digits() -> cw.Page:
    """A large tree for the digits: ten classes, sixty-four features."""
    digits = load_digits()
    columns = [cw.Column(f"pixel {i // 8},{i % 8}") for i in range(64)]
    table = cw.Table(columns, list(digits.data.T), target=cw.Column("digit", tuple("0123456789")), y=digits.target)
    return cw.Page(cw.C45Classifier().fit(table), table, title="Handwritten digits")


def planes() -> cw.Page:
    """Linear tests."""
    board = cw.artificial.chess2(noise=1, random_state=0)
    tree = cw.LinearTreeClassifier(random_state=0, progress=False).fit(board).tree_
    return cw.Page(tree, board, title="A chessboard that leans")


def weather() -> cw.Page:
    """Tests of values, many of them."""
    rng = np.random.default_rng(1)
    skies = ("clear", "few clouds", "overcast", "drizzle", "rain", "hail", "snow", "fog")
    sky, wind = rng.integers(0, 8, 800), rng.gamma(2.0, 9.0, 800)
    go = ((sky < 3) & (wind < 30)) | ((sky == 7) & (wind < 12))
    columns = [cw.Column("sky", skies), cw.Column("wind (km/h)")]
    y = (go ^ (rng.random(800) < 0.06)).astype(int)
    table = cw.Table(columns, [sky, wind.round(1)], target=cw.Column("sailing", ("no", "yes")), y=y)
    return cw.Page(cw.C45Classifier().fit(table), table, title="Who goes sailing?")


def pictures() -> Iterator[Picture]:
    found = cells()
    yield Picture("explore.png", found)
    yield Picture("explore-node.png", found, "#tab=node&node=1")
    yield Picture("explore-try.png", found, "#tab=try", scheme="dark")
    yield Picture("explore-steer.png", found, "#tab=steer&node=1")
    place = next(i for i, entry in enumerate(found.front) if entry.tree is found.tree)
    yield Picture("explore-compare.png", found, f"#tab=compare&with={place + 1}")
    yield Picture("explore-phone.png", found, size=(390, 844))
    yield Picture("explore-map.png", digits(), "#layout=map", press=("Unfold all",))
    yield Picture("explore-planes.png", planes(), "#tab=node&node=0")
    yield Picture("explore-values.png", weather())


def main() -> None:
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser: Any = driver.chromium.launch(executable_path=browser_path, args=FLAGS)
        for picture in pictures():
            size = {"width": picture.size[0], "height": picture.size[1]}
            tab = browser.new_page(viewport=size, color_scheme=picture.scheme, reduced_motion="reduce")
            tab.goto(picture.page.write(Path(folder) / "page.html").as_uri() + picture.address)
            tab.wait_for_selector("#clearwood[data-ready]")
            for name in picture.press:
                tab.get_by_role("button", name=name).click()
            tab.wait_for_timeout(600)
            tab.screenshot(path=HERE / picture.name)
            tab.close()
        browser.close()


if __name__ == "__main__":
    main()
