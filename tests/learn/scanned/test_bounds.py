"""The bound of a segment is never below the gain of a cut inside it, by trying every cut."""

import numpy as np
import pytest

import clearwood as cw
from clearwood.learn.scanned import best_cut as best_cut_module
from clearwood.learn.scanned.best_cut import best_cut
from clearwood.learn.scanned.bounds import find_cuts
from clearwood.learn.scanned.numeric import Numeric
from clearwood.learn.scanned.segments import Segments

LEARNERS = [
    cw.C45Classifier(),
    cw.C45Classifier(criterion="gini"),
    cw.C45Classifier(criterion="twoing", min_gap=0),
    cw.ID3Classifier(),
    cw.CARTClassifier(),
]


def random_values(seed, n_classes):
    """Every value by itself: how much of each class it has."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    low = np.sort(rng.choice([rng.normal(size=n), np.arange(n) * 4e-6, rng.integers(0, 30, n) / 1.0]))
    low = np.unique(low)
    weights = rng.integers(0, 4, (len(low), n_classes)) * rng.choice([1.0, 0.3])
    if rng.random() < 0.5:  # two classes on two sides, so that one cut is much better than others
        turn = int(rng.integers(len(low)))
        weights[:turn, 0] += 30
        weights[turn:, 1] += 30
    weights[weights.sum(axis=1) == 0, 0] = 1.0
    return Segments(low, low, weights.astype(float), weights.sum(axis=1).astype(np.int64) + 1)


def coarser(values, rng):
    """Neighbouring values put together at random, and which values each segment holds."""
    starts = np.flatnonzero(np.append(True, rng.random(len(values.low) - 1) < 0.3))
    ends = np.append(starts[1:], len(values.low))
    parts = [range(start, end) for start, end in zip(starts, ends, strict=True)]
    weights = np.array([values.weights[list(part)].sum(axis=0) for part in parts])
    rows = np.array([values.rows[list(part)].sum() for part in parts])
    return Segments(values.low[starts], values.high[ends - 1], weights, rows), parts


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3, 11])
def test_no_cut_inside_gains_more_than_the_bound(learner, n_classes):
    rules = learner.growth().rules()
    inside = 0
    for seed in range(60):
        values = random_values(seed, n_classes)
        rough, parts = coarser(values, np.random.default_rng(seed))
        total = float(values.weights.sum()) * 1.25  # a fifth of the node lacks the value
        exact, bound = find_cuts(values, total, rules), find_cuts(rough, total, rules)
        for place, part in enumerate(parts):
            for cut in list(part)[:-1]:
                if exact.allowed[cut]:
                    assert exact.gain[cut] <= bound.inside[place]
                    inside += 1
            if place < len(parts) - 1:  # what lies between segments is known, or said not to be
                last = part[-1]
                assert bound.allowed[place] in (1, exact.allowed[last])
                assert abs(bound.gain[place] - exact.gain[last]) < 1e-12
    assert inside > 100


def values_in(values, rough, run):
    """The values of a run of segments, each by itself."""
    inside = (values.low >= rough.low[run][0]) & (values.low <= rough.high[run][-1])
    return Segments(values.low[inside], values.high[inside], values.weights[inside], values.rows[inside])


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_the_best_cut_is_never_lost(learner, monkeypatch):
    """What is said of rough segments holds for the cut that the kernels find among all values, and ends in it."""
    monkeypatch.setattr(best_cut_module, "FIRST_ROWS", 1)
    rules = learner.growth().rules()
    spared = 0
    for seed in range(100):
        values = random_values(seed, 3)
        rough, _ = coarser(values, np.random.default_rng(seed))
        counts, rows = values.weights.sum(axis=0) * 1.25, int(values.rows.sum()) + 1
        true, ours = Numeric(values, counts, rows, rules), Numeric(rough, counts, rows, rules)
        exact = best_cut(values, true.cuts, rules)
        while True:
            found = best_cut(ours.segments, ours.cuts, rules)
            if exact.cut >= 0:
                assert found.low - 1e-9 <= exact.low <= found.high + 1e-9
                assert found.least_left - 1e-9 <= exact.least_left <= found.most_left + 1e-9
            if true.candidate.kind:
                assert ours.span.gain[0] - 1e-9 <= true.candidate.gain <= ours.span.gain[1] + 1e-9
                assert ours.span.ratio[0] - 1e-9 <= true.candidate.ratio <= ours.span.ratio[1] + 1e-9
            if found.cut is not None:
                break
            runs = ours.wanted()
            ours = ours.refined(runs, [values_in(values, ours.segments, run) for run in runs])
        assert (found.cut < 0) == (exact.cut < 0)
        if true.candidate.kind:
            assert ours.segments.high[found.cut] == values.high[exact.cut]
            assert ours.candidate.threshold == true.candidate.threshold
        spared += not ours.segments.single.all()
    assert spared > 10
