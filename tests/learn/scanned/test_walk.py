"""A walk ends in the cut that the kernels adopt last, where every cut depends on the one adopted before it."""

from dataclasses import replace

import numpy as np
import pytest
from scanned_tables import differences, scan_of

import clearwood as cw
from clearwood.learn.scanned import best_cut, choosing, segments, streams, walk
from clearwood.learn.scanned.candidates import examine
from clearwood.learn.scanned.numeric import Numeric
from clearwood.learn.scanned.segments import Segments
from clearwood.learn.scanned.walk import Walk

LEARNERS = [cw.C45Classifier(mdl_correction=False), cw.C45Classifier(criterion="gini", min_gap=0), cw.CARTClassifier()]


def _values(seed, n=4000):
    """Values of which each has a row or two; the class turns slowly, so that many cuts gain nearly the same."""
    rng = np.random.default_rng(seed)
    value = np.sort(rng.choice(n * 4, n)) / 50.0
    y = rng.random(n) < 0.35 + 0.3 * np.abs(np.arange(n) / n - rng.random())
    distinct, place = np.unique(value, return_inverse=True)
    weights = np.zeros((len(distinct), 2))
    np.add.at(weights, (place, y.astype(int)), 1.0)
    return Segments(distinct, distinct, weights, weights.sum(axis=1).astype(np.int64))


def _inside(values, low, high):
    return values.part(slice(*np.searchsorted(values.low, [low, np.nextafter(high, np.inf)])))


def _in_parts(values, size):
    first = np.arange(0, len(values.low), size)
    last = np.append(first[1:], len(values.low)) - 1
    rows = np.add.reduceat(values.rows, first)
    return Segments(values.low[first], values.high[last], np.add.reduceat(values.weights, first), rows)


@pytest.mark.parametrize("tolerance", [1e-9, 1e-5, 3e-4])
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_it_ends_in_the_kernels_cut(learner, tolerance, monkeypatch):
    monkeypatch.setattr(walk, "STRETCH_ROWS", 150)
    rules = replace(learner.growth(), tolerance=tolerance).rules()
    spared = 0
    for seed in range(12):
        values = _values(seed)
        counts, n_rows = values.weights.sum(axis=0), int(values.rows.sum())
        true = Numeric(values, counts, n_rows, rules)
        rough = Numeric(_in_parts(values, 20), counts, n_rows, rules)
        way = Walk(rough.segments, rough.cuts, float(counts.sum()), rules)
        looked_at = 0
        while not way.is_done:
            for stretch in way.next(600):
                wanted = stretch.range
                known = None if wanted is None else _inside(values, wanted.low, wanted.high)
                looked_at += 0 if known is None else stretch.n_rows
                way.follow(way.records(stretch, known))
        walked = replace(rough, walked=way.found)
        kernels = examine(true.counts, None, 2, rules)
        assert walked.is_decided and walked.candidate.kind == kernels.kind
        if kernels.kind:
            assert walked.candidate.threshold == kernels.threshold
            left = values.low <= kernels.threshold
            weights, n_left = walked.left_of(kernels.threshold)
            assert (weights == values.weights[left].sum(axis=0)).all() and n_left == values.rows[left].sum()
        spared += looked_at < n_rows
    assert spared


def test_no_cut_is_a_result_too():
    rules = cw.C45Classifier(min_leaf=60).growth().rules()
    values = _values(3, 100)
    counts = values.weights.sum(axis=0)
    numeric = Numeric(_in_parts(values, 10), counts, 100, rules)
    way = Walk(numeric.segments, numeric.cuts, 100.0, rules)
    while not way.is_done:
        for stretch in way.next(1000):
            way.follow(way.records(stretch, _inside(values, stretch.range.low, stretch.range.high)))
    assert replace(numeric, walked=way.found).best.cut == -1


@pytest.fixture
def walks(monkeypatch):
    """Every walk's number of features; with a tolerance so large that what was adopted first matters to the end."""
    growth, go, n_walks = cw.C45Classifier.growth, choosing.Choosing._walk, []
    monkeypatch.setattr(cw.C45Classifier, "growth", lambda self: replace(growth(self), tolerance=2e-4))
    monkeypatch.setattr(segments, "ROWS_IN_PART", 16)
    monkeypatch.setattr(segments, "FEW_ROWS", 3)
    monkeypatch.setattr(best_cut, "FIRST_ROWS", 2)
    monkeypatch.setattr(streams, "AT_ONCE", 400)
    monkeypatch.setattr(walk, "STRETCH_ROWS", 100)
    monkeypatch.setattr(choosing, "STRETCH_ROWS", 100)
    monkeypatch.setattr(choosing.Choosing, "_walk", lambda self, some: n_walks.append(len(some)) or go(self, some))
    return n_walks


def _table(n=6000):
    rng = np.random.default_rng(5)
    cells = np.sort(rng.normal(size=(n, 3)), axis=0)[rng.permutation(n)]  # so that the features are rivals
    y = rng.random(n) < 0.4 + 0.2 * np.tanh(cells[:, 0]) * np.sign(cells[:, 1])
    columns = [cw.Column(name) for name in "abc"]
    return cw.Table(columns, list(cells.T), target=cw.Column("y", ("no", "yes")), y=y.astype(np.int32))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("criterion", ["gain_ratio", "gini"])
def test_trees_are_those_in_memory(criterion, threads, walks, tmp_path):
    learner, table = cw.C45Classifier(criterion=criterion, max_depth=4), _table()
    scan = scan_of(table, tmp_path, in_memory=200, threads=threads)
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []
    assert walks


def test_rows_that_go_meanwhile_are_noticed(walks, tmp_path, monkeypatch):
    count = streams.Streams.count

    def one_value_less(self, *asked):
        counted, found = count(self, *asked)
        gone = {feature: [some.part(slice(0, -1)) for some in all_] for feature, all_ in found.items()}
        return counted, gone if walks else found

    monkeypatch.setattr(streams.Streams, "count", one_value_less)
    with pytest.raises(cw.scan.EngineError, match="no longer what it was"):
        cw.C45Classifier(max_depth=4).fit(scan_of(_table(), tmp_path, in_memory=200, threads=1))
