"""Kernels refuse arrays that do not agree, before an index can leave them."""

import functools

import numpy as np
import pytest
from soft_tables import soft_table

import clearwood.learn.distilling
import clearwood.learn.ism_forest
import clearwood.learn.training
from clearwood import C45Classifier
from clearwood.evolve.pareto import bits
from clearwood.kernels.columns.order import filter_members, filter_order, sort_column
from clearwood.kernels.columns.ranks import mark_present, rank_columns, separable_from
from clearwood.kernels.common.agreement import check_codes, check_lengths, check_range, check_starts
from clearwood.kernels.distil.forest_grower import ForestGrower
from clearwood.kernels.distil.forest_votes import VotingTree, add_votes
from clearwood.kernels.distil.search_tree import SearchTree
from clearwood.kernels.greedy.grower import Grower
from clearwood.kernels.greedy.pessimistic_error import pessimistic_errors
from clearwood.kernels.greedy.threads import grow_together
from clearwood.kernels.linear.data import LinearData
from clearwood.kernels.oc1.oblique_finder import ObliqueFinder
from clearwood.kernels.oc1.split_impurity import impurity
from clearwood.kernels.pareto.bit_table import get_bits, set_bits
from clearwood.kernels.pareto.gene import GENE
from clearwood.kernels.pareto.individuals import Individuals
from clearwood.kernels.routing.routes import most_probable
from clearwood.kernels.routing.weakest_links import price_links
from clearwood.kernels.subsets.fold import Fold, score_folds, set_folds
from clearwood.kernels.subsets.recalling_grower import RecallingGrower
from clearwood.kernels.subsets.subset_scores import SubsetScores, free_places
from clearwood.learn.ism import ISMClassifier
from clearwood.table import Column, Table


def ints(*numbers):
    return np.array(numbers, dtype=np.int32)


def linear_data(**changes):
    given = {
        "x": np.zeros((1, 3), dtype=np.float32),
        "codes": np.zeros((1, 3), dtype=np.int32),
        "n_values": ints(2),
        "y": ints(0, 1, 0),
        "weights": np.ones(3),
        "absent": np.zeros((1, 3), dtype=np.uint8),
        "n_classes": 2,
    }
    return LinearData(**given | changes)


@functools.cache
def small_table():
    rng = np.random.default_rng(0)
    columns = [Column("a"), Column("b", ("p", "q", "r"))]
    data = [rng.normal(size=200), rng.integers(-1, 3, size=200)]
    y = (data[0] > 0).astype(int) + (data[1] == 1)
    return Table(columns, data, target=Column("y", ("n", "m", "y")), y=y)


USES = {
    bits: bits.as_bits,
    clearwood.learn.training.kernel: clearwood.learn.training.training_set,
    clearwood.learn.ism_forest: ISMClassifier(random_state=0).fit,
    clearwood.learn.distilling: ISMClassifier(random_state=0).fit,
}


@functools.cache
def taken(module, name):
    """What the project itself hands to a kernel, by name; ``positions`` says what comes without one."""
    given = {}

    class Taken(Exception):
        pass

    def take(*positions, **named):
        given.update(named, positions=positions)
        raise Taken

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, name, take)
        with pytest.raises(Taken):
            USES[module](small_table())
    return given


def called(module, name, **changes):
    """A kernel called as the project calls it, but for some changes: each a function of what was given."""
    given = dict(taken(module, name))
    positions = given.pop("positions")
    for key, change in changes.items():
        given[key] = change(given[key])
    return getattr(module, name)(*positions, **given)


bit_table = functools.partial(called, bits, "BitTable")
forest = functools.partial(called, clearwood.learn.ism_forest, "Forest")
ism_grower = functools.partial(called, clearwood.learn.distilling, "BestFirstGrower")
training_set = functools.partial(called, clearwood.learn.training.kernel, "TrainingSet")


def shorter(array):
    return array[:-1]


def put(place, number):
    """A copy of an array with a number in one place."""

    def changed(array):
        new = np.array(array)
        new[place] = number
        return new

    return changed


def fold(rows, number=0, following=None, weight=1.0):
    growth = C45Classifier().growth()
    grower = RecallingGrower(clearwood.learn.training.training_set(small_table()), growth.rules(), memory=2**20)
    return Fold(grower, None, number, ints(*rows), weight, following)


def scores(n_features=2, fold_of=(0,)):
    n_folds = max(fold_of) + 1
    sizes = np.zeros((3, 1, n_folds), dtype=np.int32)
    subsets, places = np.ones((1, n_features), dtype=np.uint8), ints(*range(len(fold_of)))
    return SubsetScores(subsets, np.zeros((1, n_folds)), sizes, ints(*fold_of), places, free_places(len(fold_of)))


def bad_scores(correct=(2, 2), sizes=(3, 2, 2), fold_of=(0, 1), place_of=(0, 1)):
    subsets, sizes = np.zeros((2, 3), dtype=np.uint8), np.zeros(sizes, dtype=np.int32)
    return SubsetScores(subsets, np.zeros(correct), sizes, ints(*fold_of), ints(*place_of), free_places(2))


def soft(**changes):
    table = soft_table(1)
    return table._replace(**{name: change(getattr(table, name)) for name, change in changes.items()})


def forest_grower(y=None, n_tried=2, **changes):
    table = soft(**changes)
    labels = np.zeros(len(table.target), dtype=np.int32) if y is None else y
    return ForestGrower(*table[:6], labels, 2, n_tried, 1)


def grown_forest_tree():
    y = np.arange(len(soft_table(1).target)) % 2
    return list(forest_grower(y.astype(np.int32)).grow(np.ones(len(y), dtype=np.int32), 0, 0))


def vote(place=0, change=lambda array: array, rows=(0, 1), width=2):
    tree, table = grown_forest_tree(), soft_table(1)
    tree[place] = change(tree[place])
    add_votes(VotingTree(tuple(tree)), table.numeric, table.nominal, ints(*rows), np.zeros((len(table.target), width)))


def search_tree(**changes):
    tree = SearchTree(soft_table(1).rows(), 3, 1)
    two = {
        "kind": ints(1, 0, 0), "left": ints(1, 0, 0), "right": ints(2, 0, 0), "parent": ints(0, 0, 0),
        "feature": ints(0, 0, 0), "threshold": np.zeros(3), "in_set": np.zeros((3, 5), dtype=np.uint8),
        "n_terms": ints(0, 0, 0), "term_feature": np.zeros((3, 1), dtype=np.int32), "term_weight": np.zeros((3, 1)),
        "missing_left": np.zeros(3, dtype=np.uint8), "label": ints(0, 0, 0),
    }  # fmt: skip
    two["in_set"] = tree.arrays()["in_set"].repeat(3, axis=0)
    tree.restore(two | changes)
    return tree


def leaves_of(numeric=lambda block: block, nominal=lambda block: block, size=40):
    table = soft_table(1)
    search_tree().leaves_of(numeric(table.numeric), nominal(table.nominal), np.zeros(size, dtype=np.int32))


def of_size(size):
    genes = np.zeros(3, dtype=GENE)
    genes["size"] = size
    return genes


DISAGREEING = {
    "sort_column": lambda: sort_column(np.zeros(5), np.zeros(3, dtype=np.int32)),
    "filter_order": lambda: filter_order(np.zeros((1, 5), dtype=np.int32), [0, 7], 5),
    "filter_order, below 0": lambda: filter_order(np.zeros((1, 5), dtype=np.int32), [0, -1], 5),
    "filter_order, rows": lambda: filter_order(np.zeros((1, 5), dtype=np.int32), [0, 1], 9),
    "filter_members": lambda: filter_members(
        np.zeros((1, 5), dtype=np.int32), np.ones(5, dtype=np.uint8), np.zeros((1, 2), dtype=np.int32)
    ),
    "rank_columns": lambda: rank_columns(np.zeros((2, 5)), np.zeros((1, 5), dtype=np.int32)),
    "mark_present, rows": lambda: mark_present(np.zeros((1, 5), dtype=np.int32), ints(5), np.zeros((1, 2), np.uint8)),
    "mark_present, bins": lambda: mark_present(np.full((1, 5), 2, np.int32), ints(0), np.zeros((1, 2), np.uint8)),
    "separable_from": lambda: separable_from(np.zeros((1, 5)), np.zeros((1, 5), dtype=np.int32), ints(9), 0.0),
    "pessimistic_errors": lambda: pessimistic_errors(np.ones(3), np.ones(2), 0, 0.25, 0.7),
    "impurity": lambda: impurity(0, [1.0, 2.0], [1.0]),
    "set_bits": lambda: set_bits(np.zeros(1, dtype=np.uint64), ints(64)),
    "get_bits": lambda: get_bits(np.zeros(1, dtype=np.uint64), ints(64)),
    "most_probable": lambda: most_probable(np.zeros((2, 3)), np.zeros(5, dtype=np.int32)),
    "price_links": lambda: price_links(np.zeros(3, dtype=np.int8), ints(1), ints(2), np.zeros(3)),
    "Individuals, too large": lambda: Individuals(1, 2).put(0, of_size(99)),
    "Individuals, nothing": lambda: Individuals(1, 2).put(0, of_size(0)),
    "LinearData, weights": lambda: linear_data(weights=np.ones(2)),
    "LinearData, classes": lambda: linear_data(y=ints(0, 2, 0)),
    "LinearData, codes": lambda: linear_data(codes=np.full((1, 3), 2, dtype=np.int32)),
    "ObliqueFinder": lambda: ObliqueFinder(np.zeros((1, 3)), ints(0, 1), np.ones(3), 2, 0, 1, 1),
    "ObliqueFinder, rows": lambda: ObliqueFinder(np.zeros((1, 2)), ints(0, 1), np.ones(2), 2, 0, 1, 1).split(
        ints(0, 5), True, 0, 0
    ),
    "SubsetScores": lambda: bad_scores(correct=(1, 2)),
    "SubsetScores, folds": lambda: bad_scores(sizes=(3, 2, 1)),
    "SubsetScores, links": lambda: bad_scores(fold_of=(0, 2)),
    "SubsetScores, places": lambda: bad_scores(place_of=(0, 2)),
    "SubsetScores, places of links": lambda: bad_scores(place_of=(0,)),
    "Fold, rows": lambda: fold([0, 200]),
    "Fold, nothing to test": lambda: fold([0], weight=0.0),
    "Fold, order": lambda: fold([0], 2, following=fold([1], 1)),
    "set_folds, features": lambda: set_folds(scores(n_features=1), fold([0])),
    "set_folds, number": lambda: set_folds(scores(), fold([0], 4)),
    "set_folds, links": lambda: set_folds(scores(fold_of=(0, 0)), fold([0])),
    "grow_together": lambda: grow_together(
        Grower(clearwood.learn.training.training_set(small_table()), C45Classifier().growth().rules()), ints(0, 2), 1
    ),
    "TrainingSet, order": lambda: training_set(order_length=lambda lengths: lengths + 1000),
    "TrainingSet, weights": lambda: training_set(whole_weights=shorter),
    "TrainingSet, logarithms": lambda: training_set(log_table=lambda table: table[:7]),
    **{
        f"BitTable, {name}": functools.partial(bit_table, **{name: shorter})
        for name in (
            "block_end",
            "block_class",
            "block_weight",
            "is_nominal",
            "first_set",
            "n_sets",
            "missing_bits",
            "order",
            "order_end",
            "cut_above",
            "test_start",
            "test_first",
            "test_begin",
            "test_end",
            "test_bits",
            "boundary_start",
            "boundary",
            "first_step",
            "n_steps",
        )
    },
    **{
        f"BitTable, {name} of {number}": functools.partial(bit_table, **{name: put(0, number)})
        for name, number in (
            ("block_class", 3),
            ("block_class", -1),
            ("usable", 2),
            ("order", 10_000),
            ("order", -1),
            ("cut_above", 10_000),
            ("boundary", 10_000),
            ("n_sets", 65),
            ("first_set", 10_000),
            ("test_end", 10_000),
            ("test_begin", -1),
            ("test_first", 10_000),
            ("test_bits", 10_000),
            ("missing_bits", 10_000),
            ("block_end", -1),
            ("first_step", 10_000),
            ("n_steps", 10_000),
            ("n_steps", -1),
        )
    },
    **{
        f"Forest, {name}": functools.partial(forest, **{name: shorter})
        for name in ("first_candidate", "first_word", "first_value", "full", "feature_of", "set_word", "value_of")
    },
    **{
        f"Forest, {name} of {number}": functools.partial(forest, **{name: put(place, number)})
        for name, place, number in (
            ("feature_of", 0, 1),
            ("value_of", 0, 0),
            ("value_of", -1, 3),
            ("set_word", -1, 10_000),
            ("first_candidate", 1, 10_000),
            ("first_value", -1, 100),
        )
    },
    "Forest, spread": lambda: forest().set_spread(np.zeros(1), np.zeros(3)),
    "Forest, spread of values": lambda: forest().set_spread(np.zeros(len(forest().feature_of)), np.zeros(1)),
    **{
        f"BestFirstGrower, {name}": functools.partial(ism_grower, **{name: shorter})
        for name in ("cells", "labels", "probability", "weights", "guess")
    },
    "BestFirstGrower, labels of 3": lambda: ism_grower(labels=put(0, 3)),
    "BestFirstGrower, cells of 3": lambda: ism_grower(cells=put((1, 0), 3)),
    "BestFirstGrower, cells beyond all cuts": lambda: ism_grower(cells=put((0, 0), 10_000)),
    "BestFirstGrower, columns": lambda: ism_grower(cells=lambda cells: np.ascontiguousarray(cells[:, :-1])),
    "BestFirstGrower, classes": lambda: ism_grower(probability=lambda p: np.ascontiguousarray(p[:, :-1])),
    **{
        f"SoftRows, {name}": lambda name=name: soft(**{name: shorter}).rows()
        for name in ("numeric", "rank", "values", "n_ranks", "nominal", "n_values", "target")
    },
    "SoftRows, rank": lambda: soft(rank=put((0, 0), 99)).rows(),
    "SoftRows, nominal": lambda: soft(nominal=put((0, 0), 99)).rows(),
    "SoftRows, nominal below 0": lambda: soft(nominal=put((0, 0), -1)).rows(),
    "SoftRows, n_ranks": lambda: soft(n_ranks=put(0, 99)).rows(),
    "SoftRows, n_real": lambda: soft(n_real=lambda n: 99).rows(),
    "ForestGrower, rank": lambda: forest_grower(rank=put((0, 0), 99)),
    "ForestGrower, y": lambda: forest_grower(np.full(40, 2, dtype=np.int32)),
    "ForestGrower, rows": lambda: forest_grower(np.zeros(39, dtype=np.int32)),
    "ForestGrower, n_tried": lambda: forest_grower(n_tried=6),
    "ForestGrower, drawn": lambda: forest_grower().grow(np.ones(3, dtype=np.int32), 0, 0),
    "add_votes, rows": lambda: vote(rows=(0, 40)),
    "add_votes, nodes": lambda: vote(1, shorter),
    "add_votes, classes": lambda: vote(width=1),
    "SearchTree, lengths": lambda: search_tree(left=ints(1, 0)),
    "SearchTree, too large": lambda: search_tree(kind=ints(1, 0, 0, 0)),
    "SearchTree, children": lambda: search_tree(right=ints(3, 0, 0)),
    "SearchTree, one child twice": lambda: search_tree(right=ints(1, 0, 0)),
    "SearchTree, feature": lambda: search_tree(feature=ints(3, 0, 0)),
    "SearchTree, terms": lambda: search_tree(kind=ints(4, 0, 0), n_terms=ints(2, 0, 0)),
    "SearchTree, columns of terms": lambda: search_tree(
        kind=ints(4, 0, 0), n_terms=ints(1, 0, 0), term_feature=np.full((3, 1), 3, dtype=np.int32)
    ),
    "leaves_of, rows": lambda: leaves_of(size=41),
    "leaves_of, columns": lambda: leaves_of(numeric=shorter),
    "leaves_of, codes": lambda: leaves_of(nominal=put((0, 0), 99)),
}


@pytest.mark.parametrize("call", DISAGREEING)
def test_arrays_that_disagree_are_refused(call):
    with pytest.raises(
        ValueError, match=r"must (have the same length|lie between|rise from 0 to|be above 0|reach the sum)"
    ):
        DISAGREEING[call]()


def test_what_agrees_passes():
    check_lengths(rows=3, weights=3)
    check_lengths()
    check_range("codes", ints(), 0, 0)
    check_range("codes", ints(-1, 2), -1, 3)
    check_codes("codes", [ints(-1, 2), ints(0)], [3, 1])
    check_starts("first", ints(0, 2, 2), 2, 2)
    for call in (bit_table, forest, ism_grower, training_set, forest_grower, search_tree, leaves_of, vote):
        call()
    found = scores(fold_of=(0, 0))
    set_folds(found, fold([0, 1], following=fold([0, 1])))
    score_folds(found, 0, False)


def test_scores_without_folds_are_refused():
    with pytest.raises(TypeError, match="set_folds gives them"):
        score_folds(scores(), 0, True)
