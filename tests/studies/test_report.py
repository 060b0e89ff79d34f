"""The report: one HTML file, sound, self-contained, with names as names."""

import re
from html.parser import HTMLParser

import matplotlib
import pytest
from sample_comparisons import EVIL, sample_comparison

VOID = {"meta", "br", "link", "img", "use", "path"}


class Reader(HTMLParser):
    """Collects tags, text and ids, and holds that every tag is closed in order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.words, self.links = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs[key] for key in ("src", "href", "xlink:href") if key in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(autouse=True)
def off_screen():
    matplotlib.use("Agg")


def written(comparison, tmp_path):
    path = tmp_path / "report.html"
    comparison.write_page(path)
    page = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return page, reader


def test_it_needs_nothing_from_outside(tmp_path):
    page, reader = written(sample_comparison(), tmp_path)
    assert all(link.startswith("#") for link in reader.links)
    assert not re.search(r"https?:|@import|url\((?!#)", page)
    assert "script" not in reader.tags and "link" not in reader.tags


def test_ids_are_unique_and_references_lead_somewhere(tmp_path):
    page, reader = written(sample_comparison(), tmp_path)
    assert reader.tags.count("svg") == 3
    assert len(set(reader.ids)) == len(reader.ids)
    wanted = {link[1:] for link in reader.links} | set(re.findall(r"url\(#([^)]+)\)", page))
    assert wanted and wanted <= set(reader.ids)


@pytest.mark.parametrize("many", [False, True])
def test_names_with_html_in_them_are_names(tmp_path, many):
    data = (EVIL, *(f"set {i}" for i in range(9 if many else 1)))
    comparison = sample_comparison(
        learners=("c45", EVIL), data=data, gaps=(0, 0.01), fails=lambda unit: unit.data == "set 0" and unit.fold == 2
    )
    page, reader = written(comparison, tmp_path)
    assert "<script" not in page and "<row>" not in page
    text = "".join(reader.words)
    assert EVIL in text and "met a <row> it cannot take" in text


def test_differences_are_marked_failures_listed_and_the_command_given(tmp_path):
    comparison = sample_comparison(
        gaps=(0, -0.1, 0.1), fails=lambda unit: (unit.learner, unit.data, unit.fold) == ("cart", "wine", 0)
    )
    page, reader = written(comparison, tmp_path)
    assert page.count('class="better"') >= 3 and page.count('class="worse"') >= 3
    text = "".join(reader.words)
    assert "cart on wine, repeat 2, fold 1" in text and "Traceback" not in text
    assert "clearwood compare …" in text
    assert "confidence=0.25" in text and "3.11" in text


def test_headings_break_between_words_only():
    from clearwood.studies.page import table

    shown = table(["data set", "heart-c of the others"], [["breast-cancer", 1.0], ["a" * 30 + "-b", 2.0]])
    assert '<th scope="col"><span>heart-c</span> of the others</th>' in shown
    assert '<th scope="row"><span>breast-cancer</span></th>' in shown and f">{'a' * 30}-b</th>" in shown


def test_a_comparison_without_failures_has_no_such_section(tmp_path):
    _, reader = written(sample_comparison(), tmp_path)
    assert "Failed units" not in reader.words


def test_without_matplotlib_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("clearwood.studies.report.find_spec", lambda name: None)
    page, reader = written(sample_comparison(), tmp_path)
    assert "svg" not in reader.tags and "pip install" in page


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        sample_comparison().write_page(tmp_path / "nowhere" / "report.html")


def test_many_learners_and_data_sets_make_few_pictures(tmp_path):
    comparison = sample_comparison(
        learners=tuple(f"learner {i}" for i in range(8)),
        data=tuple(f"set {i}" for i in range(34)),
        cv=10,
        repeats=5,
        without_tree=(),
    )
    page, _ = written(comparison, tmp_path)
    few, _ = written(sample_comparison(), tmp_path)
    assert 0 < page.count("<svg") <= few.count("<svg") + 1  # the time goes into pictures
