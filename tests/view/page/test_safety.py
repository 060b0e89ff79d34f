"""A page runs nothing but its own script, whatever things are called."""

from __future__ import annotations

import re

import numpy as np
from browser import EXPLORER
from page_samples import iris_table

import clearwood as cw
from clearwood.view.page.html import bundle
from clearwood.view.page.page import Page

EVIL = "</script><script>alert(1)</script>"
NAMES = [
    EVIL,
    "<img src=x onerror=alert(2)>",
    "&lt;b&gt; \"quoted\" 'single'",
    "javascript:alert(3)",
    "a\nb\u2028c\u202e",
]


def evil_page():
    rng = np.random.default_rng(0)
    values = (EVIL, "<svg onload=alert(4)>", "plain", "${alert(5)}")
    codes = rng.integers(0, 4, 300)
    data = [rng.random(300) for _ in NAMES]
    y = ((codes == 0) | (data[0] > 0.7)).astype(int)
    columns = [*(cw.Column(name) for name in NAMES), cw.Column("kind <i>", values)]
    target = cw.Column("<b>class</b>", (EVIL, "<script>alert(6)</script>"))
    table = cw.Table(columns, [*data, codes], target=target, y=y, name=EVIL)
    trees = [cw.C45Classifier().fit(table).tree_, cw.CARTClassifier(random_state=0).fit(table).tree_]
    return Page(trees, table, title=EVIL, reason=EVIL, references=[cw.Reference(EVIL, 0.1)], facts=[(EVIL, EVIL)])


def test_names_that_look_like_markup_are_only_labels(visit):
    page = evil_page()
    visited = visit(page)
    visited.tab.on("dialog", lambda dialog: visited.complaints.append(dialog.message))
    assert visited.tab.title() == EVIL
    assert EVIL in visited.text("h1")
    for tab in ("rules", "node", "try", "steer", "compare", "report"):
        visited.set(tab=tab, node=0, other=1)
        assert (
            visited.js("() => document.querySelectorAll('.cw-app script, .cw-app img, .cw-app b, .cw-app i').length")
            == 0
        )
    for way in ("down", "right", "list", "map"):
        visited.set(arrangement=way)
    assert EVIL in visited.js("() => document.querySelector('.cw-drawing').textContent")
    visited.js("() => dispatchEvent(new Event('beforeprint'))")
    assert visited.js("() => document.querySelectorAll('script').length") == 2


def test_the_policy_lets_nothing_else_in(visit, tmp_path):
    visited = visit(evil_page())
    policy = visited.js("() => document.querySelector('meta[http-equiv]').content")
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy.replace("http-equiv", "")
    another = "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.head.append(s);"
    for attempt in (another, "setTimeout('window.ran = 2', 0);"):
        later = "setTimeout(() => done(window.ran ?? null), 80);"
        assert visited.js(f"() => new Promise((done) => {{ {attempt} {later} }})") is None
    visited.complaints.clear()  # the browser reports what it refused


def test_the_bundle_can_stand_in_a_page_and_evaluates_no_text():
    script, style = bundle("explorer.js"), bundle("explorer.css")
    assert "</script" not in script.lower() and "<!--" not in script and "</style" not in style.lower()
    assert not re.search(r"\beval\s*\(|new Function|document\.write\b", script)
    parsing = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|DOMParser|\.html\(")
    assert not [file.name for file in EXPLORER.glob("src/**/*.ts") if parsing.search(file.read_text("utf-8"))]
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", script + style))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1999/xlink",
                         "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"}  # fmt: skip
    assert len(script.encode()) + len(style.encode()) <= 250_000
    assert EXPLORER.joinpath("package-lock.json").exists()


def test_readers_without_scripts_see_the_tree():
    table = iris_table()
    html = Page(cw.C45Classifier().fit(table), table).to_html()
    plain = html.split("<noscript>")[1].split("</noscript>")[0]
    assert "petal width ≤ 0.6" in plain and "petal width &gt; 1.7" in plain


def test_a_damaged_page_says_so(browser, tmp_path):
    table = iris_table()
    html = Page(cw.C45Classifier().fit(table), table).to_html()
    broken = tmp_path / "broken.html"
    broken.write_text(re.sub(r'(id="clearwood-document">)[^<]{40}', r"\1", html), encoding="utf-8")
    tab = browser.new_page()
    tab.goto(broken.as_uri())
    tab.wait_for_selector(".cw-failure", timeout=10_000)
    assert "cannot be shown" in tab.inner_text(".cw-failure")
    tab.close()
