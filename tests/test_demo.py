import re


def test_the_demo_shows_trees_and_a_comparison_and_writes_its_files(tmp_path, monkeypatch):
    from clearwood import demo
    from clearwood.demo import run_demo
    from clearwood.learn.registry import LEARNERS

    monkeypatch.setattr(demo, "SCANNED_ROWS", 50_000)
    said = []
    run_demo(tmp_path / "new" / "folder", said.append)
    text = "\n".join(said)
    page = tmp_path / "new" / "folder" / "breast_cancer.html"
    assert said[-1].endswith(page.as_uri()) and "clearwood-document" in page.read_text(encoding="utf-8")
    assert (tmp_path / "new" / "folder" / "index.html").as_uri() in text
    index = (tmp_path / "new" / "folder" / "index.html").read_text(encoding="utf-8")
    assert index.count("<svg") == 30
    assert {"wine-best.html", "breast_cancer.html"} <= set(re.findall(r"href=([\w-]+\.html)>", index))
    assert sorted(file.name for file in page.parent.iterdir()) == [
        "breast_cancer.html", "index.html", "trees", "wine-best.html"
    ]  # fmt: skip
    assert said[0].startswith("clearwood best") and "How good it is" in said[0]
    assert (tmp_path / "new" / "folder" / "wine-best.html").stat().st_size > 100_000
    for name in ("iris", "wine", "breast_cancer"):
        for learner in LEARNERS:
            assert any(line.split()[:2] == [name, learner] and " % " in line for line in text.splitlines())
            stem = tmp_path / "new" / "folder" / "trees" / f"{name}-{learner}"
            if learner in ("bagging", "forest"):  # many trees, and no one picture
                assert not stem.with_suffix(".svg").exists()
                continue
            assert f'href="trees/{name}-{learner}.svg"' in index
            assert "<svg" in stem.with_suffix(".svg").read_text(encoding="utf-8")
            assert "SELECT" in stem.with_suffix(".sql").read_text(encoding="utf-8").upper()
            assert (stem.parent / f"{name}-{learner}-rules.txt").stat().st_size > 0
    assert "A file of 50,000 rows, counted where it lies" in text and "held-out rows" in text
    assert "payment = cash" in text.partition("counted where it lies")[2]
