"""The page in a notebook."""

from __future__ import annotations

import pytest
from browser import Visit
from page_samples import iris_front, iris_table

from clearwood.view.page.page import Page

MODULE = """async ([source, style, document]) => {
  const sheet = globalThis.document.createElement("style");
  sheet.textContent = style;
  globalThis.document.head.append(sheet);
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const module = await import(address);
  const el = globalThis.document.createElement("div");
  globalThis.document.body.append(el);
  await module.default.render({ model: { get: (name) => ({ document })[name] }, el });
  return el.querySelectorAll(".cw-card").length;
}"""


@pytest.fixture
def page():
    table = iris_table()
    return Page(iris_front(table), table, chosen=4, title="Iris")


def test_the_widget_s_module_shows_the_page(browser, page, tmp_path):
    pytest.importorskip("anywidget")
    widget = page.widget()
    assert widget.document == page.document
    empty = tmp_path / "notebook.html"
    empty.write_text("<!doctype html><title>notebook</title><body></body>", encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1200, "height": 800})
    visited = Visit(tab)
    tab.goto(empty.as_uri())
    assert (
        tab.evaluate(
            MODULE,
            [type(widget)._esm if isinstance(type(widget)._esm, str) else widget._esm, widget._css, page.document],
        )
        == 7
    )
    tab.locator(".cw-rule-main").first.click()
    assert tab.locator(".cw-card.cw-lit").count() >= 2
    assert tab.evaluate("() => location.hash") == ""  # the notebook's address is its own
    assert tab.locator("main").count() == 0
    visited.check()
    tab.close()


def test_without_anywidget_a_frame_shows_the_page(browser, page, tmp_path):
    file = tmp_path / "exported.html"
    file.write_text(f"<!doctype html><title>notebook</title><body>{page._repr_html_()}</body>", encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1200, "height": 800})
    visited = Visit(tab)
    tab.goto(file.as_uri())
    frame = tab.frame_locator("iframe")
    frame.locator("#clearwood[data-ready]").wait_for(timeout=15_000)
    assert frame.locator(".cw-card").count() == 7
    frame.get_by_role("tab", name="Node").click()
    assert frame.get_by_role("heading", name="All rows").is_visible()
    visited.check()
    tab.close()


def test_a_notebook_gets_both_forms_and_text(page):
    pytest.importorskip("anywidget")
    shown, _ = page._repr_mimebundle_()
    assert {"text/html", "text/plain", "application/vnd.jupyter.widget-view+json"} <= shown.keys()
    assert shown["text/plain"] == "<Page 'Iris': 4 trees>"


def test_a_missing_anywidget_is_named(page, monkeypatch):
    import sys

    from clearwood.view.page import widget

    widget._kind.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"pip install 'clearwood\[notebook\]'"):
        page.widget()
    widget._kind.cache_clear()
