"""Targets: what share of each class a row is to have."""

import numpy as np
import pytest

from clearwood import Column, Table
from clearwood.learn.distilled.targets import real_targets

TABLE = Table(
    [Column("x")], [[0.0, 1.0, 2.0, 3.0, 4.0]], target=Column("y", ("often", "once", "never")), y=[0, 0, 0, 1, 0]
)


def test_a_target_is_a_quarter_the_label_and_the_rest_what_the_teacher_says():
    own = np.tile([0.2, 0.4, 0.4], (5, 1))
    assert real_targets(TABLE, own)[0] == pytest.approx([0.25 + 0.75 * 0.2, 0.3, 0.3])
    own[0] = np.nan  # the teacher says nothing of it
    assert real_targets(TABLE, own)[0] == pytest.approx([1, 0, 0])


def test_rows_of_a_rare_class_keep_their_label():
    own = np.tile([1.0, 0.0, 0.0], (5, 1))  # parts of a teacher that have not seen the only row of a class
    assert real_targets(TABLE, own)[3] == pytest.approx([0, 1, 0])
