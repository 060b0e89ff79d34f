"""ExactSearch: the fewest errors against all trees there are, bounds, limits of work, and another program's optima."""

import numpy as np
import pytest
from splittable_tables import NARROW, splittable_tables

from clearwood.evolve.pareto.bits import as_bits
from clearwood.evolve.pareto.ranked_columns import ranked_columns
from clearwood.kernels.pareto.exact_search import ExactSearch
from clearwood.kernels.reference.pareto.exhaustive import all_tests, fewest_errors
from clearwood.read import datasets

SHAPES = [(1, 2), (2, 1), (3, 2), (4, 2), (4, 3), (5, 3), (5, 4), (8, 3)]
FAR = 1 << 50

DEPTH_3 = {  # errors of the best trees of two and of three levels, as ConTree 1.0.8 finds them
    "iris": (6, 1),
    "wine": (6, 0),
    "glass": (71, 45),
    "ecoli": (62, 42),
    "liver-disorders": (100, 82),
}


def kernel_of(table, height=4):
    bits = as_bits(table)
    columns = ranked_columns(table, bits)
    kernel = ExactSearch(columns.ranks, table.y.astype(np.int32), bits.weights, len(table.classes), height)
    return kernel, bits, columns


def distinct(tests):
    return list({test.tobytes(): test for test in tests}.values())


def test_as_few_errors_as_the_best_of_all_trees():
    """Numbers with ties, sets of values, gaps, weights."""
    checked = set()
    for table in splittable_tables(40, max_rows=9, max_columns=3, kinds=NARROW):
        bits = as_bits(table)
        if ranked_columns(table, bits) is None:
            continue
        kernel = kernel_of(table)[0]
        tests, rows = distinct(all_tests(table)), np.ones(table.n_rows, dtype=bool)
        for leaves, height in SHAPES if len(tests) < 14 else SHAPES[:4]:
            errors, column, _, _ = kernel.search(np.arange(table.n_rows), leaves, height, FAR, FAR)
            expected = fewest_errors(table, rows, tests, leaves, height)
            assert errors / bits.scale == pytest.approx(expected, abs=1e-9)
            checked.add((leaves, height, column >= 0, bits.has_missing.any(), bits.scale != 1))
    assert {(leaves, height) for leaves, height, inner, gaps, weighted in checked if inner and gaps} == set(SHAPES[1:])
    assert any(weighted for *_, weighted in checked)


def test_nothing_below_the_fewest_errors():
    for table in splittable_tables(10, max_rows=30, kinds=("few values", "many values")):
        kernel, rows = kernel_of(table)[0], np.arange(table.n_rows)
        for leaves, height in SHAPES[1:]:
            errors, *_ = kernel.search(rows, leaves, height, FAR, FAR)
            if errors:
                assert kernel.search(rows, leaves, height, errors, FAR)[:2] == (errors, -1)
                assert kernel.search(rows, leaves, height, errors + 1, FAR)[0] == errors


def test_what_is_passed_over_holds_nothing_better():
    """Tables of more rows, where neighbouring cuts, all rows of a node and single columns bound what is left."""
    for table in splittable_tables(12, max_rows=30, max_columns=3, kinds=("few values", "many values")):
        tests, rows = distinct(all_tests(table)), np.ones(table.n_rows, dtype=bool)
        kernel, bits, _ = kernel_of(table, 3)
        for leaves in (3, 4):
            errors = kernel.search(np.arange(table.n_rows), leaves, 2, FAR, FAR)[0] / bits.scale
            assert errors == pytest.approx(fewest_errors(table, rows, tests, leaves, 2), abs=1e-9)


def test_a_limit_ends_the_search_and_counts_the_same_work_each_time():
    table = next(t for t in splittable_tables(30, max_rows=40, kinds=("many values",)) if t.n_rows > 25)
    kernel, rows = kernel_of(table)[0], np.arange(table.n_rows)
    whole = kernel.search(rows, 5, 4, FAR, FAR)
    assert whole == kernel.search(rows, 5, 4, FAR, whole[-1])
    cut_short = kernel.search(rows, 5, 4, FAR, whole[-1] // 4)
    assert whole[-1] // 4 < cut_short[-1] < whole[-1] and cut_short[0] >= whole[0]


@pytest.mark.parametrize("name", DEPTH_3)
def test_the_optima_of_another_program(name):
    try:
        table = datasets.load(name)
    except FileNotFoundError as error:
        pytest.skip(str(error))
    kernel, rows = kernel_of(table)[0], np.arange(table.n_rows)
    found = tuple(kernel.search(rows, leaves, height, FAR, FAR)[0] for leaves, height in ((4, 2), (8, 3)))
    assert found == DEPTH_3[name]
