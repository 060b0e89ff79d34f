"""Notes in Markdown become HTML, and nothing in them becomes more than words."""

from html.parser import HTMLParser
from importlib.resources import files

import pytest

from clearwood.studies.markdown import markdown_html

STUDIES = ("c45", "setgen", "emo", "gdt", "ism", "distilled")


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.words = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("study", STUDIES)
def test_the_notes_of_every_study_lose_their_marks_and_nothing_else(study):
    source = files("clearwood.studies").joinpath(study, "notes.md").read_text(encoding="utf-8")
    shown = Tags()
    shown.feed(markdown_html(source))
    assert shown.open == []
    text = " ".join(" ".join(shown.words).split())
    assert "**" not in text and "| ---" not in text and "## " not in text
    for word in source.replace("*", " ").replace("`", " ").replace("|", " ").split():
        if word.isalpha():
            assert word in text


def test_tables_lists_code_and_hostile_words():
    html = markdown_html(
        "1. one <b>\n2. two\n\n| a | b |\n| --- | --- |\n| `x<y` | **z** |\n\n```\n<pre>\n```\n[there](x.md)"
    )
    assert html.splitlines() == [
        "<ol>",
        "<li>one &lt;b&gt;</li>",
        "<li>two</li>",
        "</ol>",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr>"
        '<td class="long"><code>x&lt;y</code></td><td class="long"><strong>z</strong></td></tr></tbody></table>',
        "<pre>&lt;pre&gt;</pre>",
        "<p>there</p>",
    ]
