"""Tables: checked when they are made, immutable after, and the parts and joins that learners make of them."""

import pickle

import numpy as np
import pytest
from small_tables import random_small_table

from clearwood.table import Column, Table

AGE, SEX, SKY = Column("age"), Column("sex", ("f", "m")), Column("sky", ("sun", "rain", "fog"))
ILL = Column("ill", ("no", "yes"))


def people(**more):
    given = {"target": ILL, "y": [0, 1, -1, 1], "weights": [1.0, 2.0, 3.0, 0.0], "name": "people", **more}
    return Table([AGE, SEX, Column("height")], [[31, 54, np.nan, 20], [0, 1, 1, -1], [1.8, 1.7, 1.6, 1.9]], **given)


def same(one, other):
    """Whether two tables hold the same, caches aside."""
    return one.digest == other.digest and one.name == other.name and one.n_rows == other.n_rows


# -- making ------------------------------------------------------------------------------------------


def test_columns_lie_in_two_blocks_and_are_found_by_name_and_place():
    table = people()
    assert table.numeric.shape == (2, 4) and table.nominal.tolist() == [[0, 1, 1, -1]]
    assert table.slots.tolist() == [0, 0, 1]
    assert table.column("height").tolist() == table.column(2).tolist() == [1.8, 1.7, 1.6, 1.9]
    assert (len(table), table.n_features, table.classes) == (4, 3, ("no", "yes"))
    with pytest.raises(KeyError, match="no column 'size'; the columns are age, sex, height"):
        table.column("size")


def test_cells_cannot_be_changed():
    table = people()
    for array in (table.numeric, table.nominal, table.y, table.weights, table.sort_order, table.counted, table.slots):
        with pytest.raises(ValueError, match="read-only"):
            array[..., 0] = 1


def test_an_array_is_used_as_it_lies():
    cells = np.arange(6.0).reshape(3, 2)
    table = Table.from_blocks([AGE, Column("b")], cells.T, np.empty((0, 3), np.int32))
    assert np.shares_memory(table.numeric, cells)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table([AGE], []), "data must hold one array for each column, got 0 for 1 columns"),
        (lambda: Table([AGE, SEX], [[1.0], [0, 1]]), r"all columns must have the same number of rows, got \[1, 2\]"),
        (lambda: people(y=[0, 1]), r"the same number of rows, got \[2, 4\]"),
        (lambda: Table([AGE, AGE], [[1.0], [2.0]]), "column names must differ, but 'age' occurs more than once"),
        (lambda: people(target=Column("age", ("no", "yes"))), "'age' occurs more than once"),
        (lambda: Table([Column("a", ("x", "x"))], [[0]]), "column 'a' declares 'x' twice"),
        (lambda: Table([AGE], [[np.inf]]), "column 'age' holds infinite values"),
        (lambda: Table([SEX], [[2]]), r"column 'sex' holds codes outside -1 \.\. 1"),
        (lambda: Table([SEX], [[-2]]), r"column 'sex' holds codes outside -1 \.\. 1"),
        (lambda: people(y=[0, 1, 2, 1]), r"y holds codes outside -1 \.\. 1"),
        (lambda: people(y=[0, 1, -2, 1]), r"y holds codes outside -1 \.\. 1"),
        (lambda: people(target=None), "class codes need a nominal target column"),
        (lambda: people(target=Column("ill")), "class codes need a nominal target column"),
        (lambda: people(weights=[1.0, 1.0]), r"weights must hold one number for each of 4 rows, got shape \(2,\)"),
        (lambda: people(weights=[1, -1, 1, 1]), "weights must be finite and not negative, got -1.0 in row 1"),
        (lambda: people(weights=[1, 1, np.nan, 1]), "not negative, got nan in row 2"),
        (lambda: people(weights=[1, 1, np.inf, 1]), "not negative, got inf in row 2"),
    ],
)
def test_what_makes_no_table_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_table_without_columns_has_the_rows_of_its_classes():
    assert Table([], [], target=ILL, y=[0, 1]).n_rows == 2
    assert Table([], []).n_rows == 0


# -- what is in it ------------------------------------------------------------------------------------


def test_rows_count_that_have_a_class_and_some_weight():
    assert people().counted.tolist() == [0, 1]
    assert people(weights=None).counted.tolist() == [0, 1, 3]
    assert people(target=None, y=None).counted.tolist() == []
    assert people().with_weights([0, 0, 0, 1]).counted.tolist() == [3]
    assert people().with_target(ILL, [-1, -1, 0, 0]).counted.tolist() == [2]


def test_the_digest_tells_any_two_tables_apart():
    table = people()
    others = [
        people(y=[0, 1, 1, 1]),
        people(weights=None),
        people(target=Column("ill", ("yes", "no"))),
        table.take([0, 1, 3, 2]),
        table.select([0, 1]),
        table.with_target(None),
    ]
    assert len({table.digest, *(other.digest for other in others)}) == 7
    assert table.digest == people(name="other").digest  # a name says nothing of the content


def test_the_sort_order_is_stable_with_missing_cells_last():
    cells = np.array([3.0, np.nan, 1.0, 3.0, 1.0])
    assert Table([AGE], [cells]).sort_order.tolist() == [[2, 4, 0, 3, 1]]


def test_threads_sort_a_table_once_and_the_same():
    rng = np.random.default_rng(0)
    cells = rng.integers(50, size=(3, 5000)).astype(float)
    columns = [Column(name) for name in "abc"]
    alone, shared = Table(columns, cells), Table(columns, cells)
    shared.presort(2)
    order = shared.sort_order
    assert np.array_equal(order, alone.sort_order)
    shared.presort(2)
    assert shared.sort_order is order


# -- parts of it ------------------------------------------------------------------------------------


def test_taken_rows_are_those_rows_in_that_order():
    table = people()
    part = table.take([3, 0])
    assert same(
        part, Table(table.columns, [[20, 31], [-1, 0], [1.9, 1.8]], target=ILL, y=[1, 0], weights=[0, 1], name="people")
    )
    assert same(table.take([False, True, False, True]), table.take([1, 3]))
    assert table.take([]).n_rows == 0


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_taken_rows_is_filtered_and_equals_a_sort(seed):
    rng = np.random.default_rng(seed)
    table = random_small_table(rng)
    _ = table.sort_order
    for rows in (
        rng.random(table.n_rows) < 0.6,
        rng.permutation(table.n_rows)[: table.n_rows // 2],
        rng.integers(table.n_rows, size=9),
    ):
        part = table.take(rows)
        fresh = Table.from_blocks(part.columns, part.numeric, part.nominal)
        for cells, filtered, sorted_ in zip(part.numeric, part.sort_order, fresh.sort_order, strict=True):
            assert sorted(filtered.tolist()) == list(range(part.n_rows))
            assert np.array_equal(cells[filtered], cells[sorted_], equal_nan=True)


def test_selected_columns_keep_target_weights_and_name():
    part = people().select(["height", 1])
    assert part.feature_names == ("height", "sex") and part.column("sex").tolist() == [0, 1, 1, -1]
    assert (part.target, part.y.tolist(), part.weights.tolist(), part.name) == (
        ILL,
        [0, 1, -1, 1],
        [1, 2, 3, 0],
        "people",
    )
    assert people(target=None, y=None).select([0]).target is None


def test_aligned_columns_are_found_by_name_and_values_by_text():
    table = Table([SKY, AGE], [[0, 2, -1], [1, 2, 3]], name="t")
    other = Column("sky", ("fog", "sun", "hail"))
    aligned = table.align([AGE, other])
    assert aligned.columns == (AGE, other) and aligned.column("sky").tolist() == [1, 0, -1]
    assert aligned.column("age").tolist() == [1, 2, 3] and aligned.name == "t"
    assert table.align([Column("sky", ("rain",)), AGE]).column("sky").tolist() == [-1, -1, -1]
    assert table.align(table.columns) is table
    assert table.align([]).n_rows == 3
    with pytest.raises(ValueError, match="the table lacks 1 of the tree's columns: 'mass'; it has 'sky', 'age'"):
        table.align([Column("mass")])
    with pytest.raises(ValueError, match=r"'age' is numeric in the table but nominal in the tree; .*nominal=\['age'\]"):
        table.align([Column("age", ("old", "young"))])


# -- other classes and weights, and joins -----------------------------------------------------------


def test_other_weights_and_classes_share_cells_and_order():
    table = people()
    order = table.sort_order
    heavy, healthy = table.with_weights([4, 3, 2, 1]), table.with_target(Column("well", ("yes", "no")), [0, 0, 1, 1])
    for twin in (heavy, healthy):
        assert twin.numeric is table.numeric and twin.sort_order is order
    assert (heavy.weights.tolist(), heavy.y.tolist()) == ([4, 3, 2, 1], [0, 1, -1, 1])
    assert (healthy.classes, healthy.y.tolist(), healthy.weights.tolist()) == (
        ("yes", "no"),
        [0, 0, 1, 1],
        [1, 2, 3, 0],
    )
    assert (table.weights.tolist(), table.target) == ([1, 2, 3, 0], ILL)
    assert table.with_weights(None).weights.tolist() == [1, 1, 1, 1]
    assert table.with_target(None).classes == () and table.with_target(None).y.tolist() == [-1] * 4
    with pytest.raises(ValueError, match="'age' occurs more than once"):
        table.with_target(Column("age", ("a",)))
    with pytest.raises(ValueError, match="y must hold one class for each of the 4 rows"):
        table.with_target(ILL, [0])


def test_stacked_rows_stand_below():
    table = people()
    both = table.stacked(table.take([2, 1]).with_weights([5, 6]))
    assert same(
        both,
        Table(
            table.columns,
            [[31, 54, np.nan, 20, np.nan, 54], [0, 1, 1, -1, 1, 1], [1.8, 1.7, 1.6, 1.9, 1.6, 1.7]],
            target=ILL,
            y=[0, 1, -1, 1, -1, 1],
            weights=[1, 2, 3, 0, 5, 6],
            name="people",
        ),
    )
    unlabelled = table.stacked(table.with_target(None))
    assert unlabelled.target == ILL and unlabelled.y.tolist() == [0, 1, -1, 1, -1, -1, -1, -1]
    with pytest.raises(ValueError, match="the same columns"):
        table.stacked(table.select([0, 1]))
    with pytest.raises(ValueError, match="the same target"):
        table.stacked(table.with_target(SKY))
    with pytest.raises(ValueError, match="the same target"):
        table.with_target(None).stacked(table)


def test_a_table_survives_pickling():
    table = people()
    assert same(pickle.loads(pickle.dumps(table)), table)


def test_it_says_what_it_is():
    assert repr(people()) == "<Table 'people': 4 rows, 3 features (2 numeric, 1 nominal), target 'ill' with 2 classes>"
    assert repr(Table([SEX], [[0]])) == "<Table '': 1 rows, 1 features (0 numeric, 1 nominal)>"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Table.from_blocks([Column("a"), Column("b", ("p",))], np.zeros((1, 4)), np.zeros((1, 2), np.int32)),
            "4 numeric and 2 nominal",
        ),
        (
            lambda: Table.from_blocks([Column("a")], np.zeros((2, 4)), np.zeros((0, 4), np.int32)),
            "1 rows, one for each",
        ),
        (lambda: Table.from_blocks([Column("a")], np.zeros(4), np.zeros((0, 4), np.int32)), "two dimensions"),
        (lambda: Table([Column("b", ("p", "q"))], [[0, 2**32]]), "codes outside -1 .. 1"),
        (lambda: Table([Column("b", ("p", "q"))], [[0, -(2**32) - 1]]), "codes outside -1 .. 1"),
        (lambda: Table([Column("b", ("p", "q"))], [[0.0, 0.5]]), "whole numbers"),
        (lambda: Table([Column("b", ("p", "q"))], [[0.0, np.nan]]), "whole numbers"),
        (lambda: Table([], [], target=Column("y", ("n", "y")), y=[0, 2**32]), "y holds codes outside"),
        (
            lambda: Table.from_blocks([Column("b", ("p",))], np.zeros((0, 1)), np.array([[2**32]])),
            "codes outside -1",
        ),
        (lambda: Table([Column("a")], [[1.0, 2.0]], weights=[1e308, 1e308]), r"add up to between .* got inf"),
        (lambda: Table([Column("a")], [[1.0, 2.0]], weights=[1e-300, 1e-300]), r"multiply all of them by one number"),
    ],
)
def test_what_would_lead_a_kernel_astray_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_blocks_of_other_whole_numbers_are_taken_over():
    table = Table.from_blocks([Column("b", ("p", "q"))], np.zeros((0, 2)), np.array([[0, -1]], dtype=np.int64))
    assert table.nominal.dtype == np.int32 and table.column("b").tolist() == [0, -1]


def test_rows_counted_from_the_end_are_sorted_as_others():
    table = Table([Column("a")], [[3.0, 1.0, 2.0]])
    assert table.sort_order.tolist() == [[1, 2, 0]]
    part = table.take([-1, 0])
    assert part.column("a").tolist() == [2.0, 3.0] and part.sort_order.tolist() == [[0, 1]]
