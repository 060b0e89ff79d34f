"""Lessons: several searches, of which the one is taken that follows the teacher best."""

import numpy as np

from clearwood import C45Classifier, Column, Table
from clearwood.learn.distilled import lessons
from clearwood.learn.distilled.lessons import Drawn, Lesson, learn_all
from clearwood.learn.distilled.sizes import Form
from clearwood.learn.distilled.trees import single_leaf

RNG = np.random.default_rng(0)
CELLS = RNG.normal(size=(2, 60))
TABLE = Table([Column("a"), Column("b")], CELLS, target=Column("y", ("no", "yes")), y=(CELLS[0] > 0).astype(int))


def lesson(**changes):
    given = {"teacher": None, "sizes": [2, 3], "form": Form(1, False), "n_synthetic": 200, "name": "distilled"}
    return Lesson(TABLE, TABLE.classes, **given | changes)


def test_of_each_size_the_tree_that_says_what_the_teacher_says():
    good, poor = C45Classifier().fit(TABLE).tree_, single_leaf(TABLE, TABLE.classes, "poor")
    source = np.tile(np.arange(60), (2, 1))
    said = np.eye(2)[TABLE.y] * 0.8 + 0.1
    found = lesson().best_of([[poor, good], [good, poor]], Drawn(source, said, np.full(60, 1 / 60)))
    assert [one.tree is good for one in found] == [True, True]
    assert np.allclose([one.loss for one in found], 0.1)


def test_the_table_as_a_whole_is_searched_several_times_and_a_fold_once(monkeypatch):
    seen = []
    searched = lessons.search_sizes

    def counted(rows, *rest):
        seen.append(rows.n_rows)
        return searched(rows, *rest)

    monkeypatch.setattr(lessons, "search_sizes", counted)
    fold = np.arange(60) % 3 > 0
    (_, found), errors = learn_all(lesson(), [fold, ~fold], [1, 2, 3], None)
    assert sorted(seen) == [320, 340, 360, 360, 360, 360] and errors.shape == (2, 3) and len(found) == 2
    seen.clear()
    learn_all(lesson(n_synthetic=0), [], [1], None)
    assert seen == [60]  # where nothing is drawn, all searches would be one
