"""Pages in a real browser."""

from __future__ import annotations

import pytest
from browser import Visit, launched


@pytest.fixture(scope="module")
def browser():
    """One browser for each file of tests: Playwright's event loop must not outlive them."""
    with launched() as found:
        yield found


@pytest.fixture
def visit(browser, tmp_path):
    """Open a Page, and check at the end that it complained of nothing and fetched nothing."""
    opened = []

    def open_page(page, address="", size=(1440, 900), **options):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, accept_downloads=True, **options)
        visited = Visit(context.new_page())
        visited.open(page.write(tmp_path / f"page-{len(opened)}.html"), address)
        opened.append((context, visited))
        return visited

    yield open_page
    for context, visited in opened:
        visited.check()
        context.close()
