"""Ordered values are tested as ordered, and print as values."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import clearwood as cw
from clearwood.table import Column

SIZES = ("S", "M", "L", "XL")
CELLS = ["S", "M", "L", "XL", None, "M"] * 5
Y = ["in" if cell in ("S", "M") else "out" for cell in CELLS]
WANTED = Column("size", levels=SIZES)


def frame():
    return pd.DataFrame({"size": pd.Categorical(CELLS, categories=SIZES, ordered=True), "y": Y})


def arff(folder):
    rows = "\n".join(f"{cell or '?'},{y}" for cell, y in zip(CELLS, Y, strict=True))
    (folder / "t.arff").write_text(
        f"@relation t\n@attribute size {{S,M,L,XL}}\n@attribute y {{in,out}}\n@data\n{rows}\n"
    )
    return cw.read(folder / "t.arff", ordered="size")


def csv(folder):
    frame().to_csv(folder / "t.csv", index=False)
    return cw.read(folder / "t.csv", ordered={"size": SIZES})


SOURCES = {
    "pandas": lambda folder: cw.read(frame()),
    "arrow": lambda folder: cw.read(pa.Table.from_pandas(frame()), ordered={"size": SIZES}),
    "arff": arff,
    "csv": csv,
}


@pytest.mark.parametrize("source", SOURCES)
def test_levels_are_tested_by_order_and_print_as_values(tmp_path, source):
    table = SOURCES[source](tmp_path)
    assert table.columns == (WANTED,)
    np.testing.assert_array_equal(table.column("size")[:6], [0, 1, 2, 3, np.nan, 1])
    tree = cw.C45Classifier().fit(table).tree_
    assert "size ≤ M" in str(tree) and "If size > M then" in str(tree.rules())
    assert tree.explain(table, 2).startswith("size is L, above M")
    assert cw.Tree.from_json(tree.to_json()) == tree and "1 ordered" in table.summary()


def test_estimators_take_ordered_categories_and_match_them_by_text():
    data = frame()
    clf = cw.CARTClassifier(random_state=0).fit(data[["size"]], data["y"])
    assert clf.tree_.columns == (WANTED,) and clf.tree_.n_leaves == 2
    texts = data[["size"]].astype(object)
    np.testing.assert_array_equal(clf.predict_proba(texts), clf.predict_proba(data[["size"]]))
    turned = data[["size"]].assign(size=data["size"].cat.reorder_categories(SIZES[::-1], ordered=False))
    np.testing.assert_array_equal(clf.predict_proba(turned), clf.predict_proba(data[["size"]]))
    with pytest.warns(UserWarning, match="does not know: 'XXL'"):
        clf.predict(pd.DataFrame({"size": ["S", "M", "XXL"]}))


def test_what_has_no_order_must_be_given_one(tmp_path):
    with pytest.raises(
        ValueError, match=r"does not say how the values of 'size' are ordered; .*--ordered size=low,high"
    ):
        cw.read(frame().astype(object), ordered="size")
    with pytest.raises(ValueError, match="ordered gives 'size' no level 'XL'"):
        cw.read(frame(), ordered={"size": ["S", "M", "L"]})
    for ordered, message in (({"size": ["S", "S"]}, "two or more different"), ("y", "a tree predicts classes")):
        with pytest.raises(ValueError, match=message):
            cw.read(frame(), target="y", ordered=ordered)
    with pytest.raises(ValueError, match="a column has one type"):
        cw.read(frame(), ordered="size", nominal="size")


def test_numbers_are_ordered_by_themselves():
    data = pd.DataFrame({"stars": ["10", "9", "2", "9"], "y": list("abab")})
    assert cw.read(data, ordered="stars").columns[0].levels == ("2", "9", "10")


@pytest.mark.parametrize("learner", [cw.CMMClassifier(random_state=0), cw.ISMClassifier(random_state=0)])
def test_learners_that_draw_rows_of_their_own(learner):
    assert learner.fit(cw.read(frame())).tree_.features == ("size",)


def test_rows_are_drawn_from_all_over_the_levels():
    comparison = cw.compare(["c45", "cart"], [cw.read(frame())], cv=3, repeats=1)
    assert not comparison.failures


def test_levels_beyond_the_declared_ones_are_refused():
    for cells in ([4.0], [-1.0]):
        with pytest.raises(ValueError, match=r"'size' holds levels outside 0 .. 3"):
            cw.Table([WANTED], [cells])
