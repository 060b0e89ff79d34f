"""SET-GEN's population: its fitness by the paper's formula, how it fills, and who makes room for whom."""

from dataclasses import replace

import numpy as np
import pytest

from clearwood.evolve.setgen.search import Settings, SubsetSearch
from clearwood.evolve.setgen.trees import Quality
from clearwood.evolve.setgen.units import SubsetUnits


def search(population_size=3, accuracy_weight=0.75, evaluations=50):
    """Four features; the accuracy grows with their number, and so do the nodes."""

    def judge(masks):
        judged.append(len(masks))
        n_features = masks.sum(axis=1)
        return Quality(n_features / 4, 1.0 + 2.0 * n_features)

    judged, judge.begin = [], lambda masks: lambda: judge(masks)
    settings = Settings(population_size, evaluations, 4, 0.1, 0.1, accuracy_weight)
    found = SubsetSearch(settings, SubsetUnits.of(list("abcd")), judge, 20.0, np.random.default_rng(0))
    return found, judged


@pytest.mark.parametrize("weight", [0.75, 0.2])
def test_fitness_is_the_papers_formula(weight):
    found, _ = search(accuracy_weight=weight)
    (quality,) = found._evaluate([np.array([2, -1, 2, 0])])
    accuracy, size, share = 2 / 4, 5 / 20, 2 / 4
    assert quality == pytest.approx(
        [weight * accuracy + (1 - weight) * (1 - (size + share) / 2), accuracy, size, share]
    )


def test_a_child_takes_the_worst_ones_place_only_if_it_is_fitter():
    found, _ = search()
    for fitness in (0.5, 0.3, 0.4):
        found._offer(np.full(4, int(10 * fitness)), np.array([fitness, 0, 0, 0]))
    for fitness, taken in ((0.3, False), (0.2, False), (0.31, True)):
        before = found.genomes.copy()
        found._offer(np.full(4, 9), np.array([fitness, 0, 0, 0]))
        assert (found.genomes != before).any() == taken
    assert found.quality[:, 0].tolist() == [0.5, 0.31, 0.4] and found.genomes[1].tolist() == [9] * 4
    assert found.best == 0


def test_the_population_fills_before_anybody_leaves_and_evaluations_are_counted():
    found, judged = search(population_size=6, evaluations=15)
    while not found.finished:
        found.advance()
    assert len(found.genomes) == 6 and found.done == 15
    assert sum(judged) == found.n_distinct <= 15  # what was seen before is not judged again


def redealt(evaluations=60, every=10, population_size=5):
    """Four features, of which the first is worth something and the others what the deal says: chance."""
    judged = []

    def judge_of(deal):
        def judge(masks):
            judged.append((deal, len(masks)))
            luck = np.random.default_rng(deal).random(4) * [0, 1, 1, 1]
            return Quality((2.0 * masks[:, 0] + masks @ luck) / 5, 1.0 + masks.sum(axis=1))

        judge.begin = lambda masks: lambda: judge(masks)
        return judge

    settings = Settings(population_size, evaluations, 4, 0.1, 0.1, 0.75, redeal_every=every)
    units = SubsetUnits.of(list("abcd"))
    return SubsetSearch(settings, units, judge_of(0), 20.0, np.random.default_rng(0), judge_of), judged, judge_of


def test_folds_are_dealt_anew_every_so_often_and_at_the_end():
    found, judged, judge_of = redealt(evaluations=35, every=10)
    while not found.finished:
        found.advance()
    assert found.done == 35
    assert sorted({deal for deal, _ in judged}) == [0, 1, 2, 3, 4]  # after 10, 20 and 30, and at the end
    for genome, quality in zip(found.genomes, found.quality, strict=True):
        mask = found.units.mask(genome)[None]
        _, _, n = found._seen[mask[0].tobytes()]
        deals = [judge_of(deal)(mask) for deal in range(5 - n, 5)]
        assert quality[1] == pytest.approx(np.mean([float(deal.accuracy[0]) for deal in deals]))
    assert set(found._seen) == {found.units.mask(genome).tobytes() for genome in found.genomes}


@pytest.mark.parametrize("batch_size", [1, 4])
@pytest.mark.parametrize("every", [None, 90])
def test_a_search_that_foresees_children_ends_like_one_that_does_not(every, batch_size):
    """It judges in fewer, larger calls, and counts as seen only what a child has had."""
    ends, calls = [], []
    for foresees in (0, 10):
        judged = []

        def judge(masks, judged=judged):
            judged.append(len(masks))
            worth = np.random.default_rng(1).integers(100, size=40)  # whole, so that sums are exact
            return Quality(masks @ worth / worth.sum(), 1.0 + masks[:, ::3].sum(axis=1))

        judge.begin = lambda masks, judge=judge: lambda: judge(masks)
        settings = Settings(60, 400, 30, 0.1, 0.1, 0.75, batch_size, redeal_every=every)
        units = SubsetUnits.of([str(i) for i in range(40)])
        found = SubsetSearch(settings, units, judge, 50.0, np.random.default_rng(3), lambda deal: judge, foresees)
        while not found.finished:
            found.advance()
        ends.append(found.state())
        calls.append(judged)
    for name, array in ends[0].items():
        assert np.array_equal(array, ends[1][name]), name
    assert sum(calls[0]) <= sum(calls[1]) < 1.5 * sum(calls[0])
    assert max(calls[1][:-1]) <= 60  # the members, when folds are dealt anew
    if batch_size == 1:
        assert len(calls[1]) < len(calls[0]) / 3


@pytest.mark.parametrize("batch_size", [1, 5])
def test_a_search_that_is_broken_off_while_it_foresees_draws_the_same_again(batch_size):
    found, _ = search(population_size=4)
    found.settings = replace(found.settings, batch_size=batch_size)
    found._foresees, judge, calls = 10, found._judge, []

    def breaks_off(masks):
        calls.append(len(masks))
        if len(calls) % 2:
            raise KeyboardInterrupt
        return judge(masks)

    breaks_off.begin = lambda masks: lambda: breaks_off(masks)
    found._judge = breaks_off
    while not found.finished:
        try:
            found.advance()
        except KeyboardInterrupt:
            search(population_size=4)[0].restore(found.state())  # the step has left no trace
    whole, _ = search(population_size=4)
    whole.settings = found.settings
    while not whole.finished:
        whole.advance()
    assert len(calls) > 2
    assert np.array_equal(found.genomes, whole.genomes) and np.array_equal(found.quality, whole.quality)


def test_a_search_with_new_deals_resumes_as_if_unbroken():
    whole, _, _ = redealt()
    while not whole.finished:
        whole.advance()
    for steps in (3, 12, 25, 40):
        part, resumed = redealt()[0], redealt()[0]
        for _ in range(steps):
            part.advance()
        resumed.restore({name: np.array(array) for name, array in part.state().items()})
        while not resumed.finished:
            resumed.advance()
        assert np.array_equal(resumed.quality, whole.quality) and np.array_equal(resumed.genomes, whole.genomes)
    with pytest.raises(ValueError, match="deal must be"):
        redealt()[0].restore({**whole.state(), "deal": np.array([1, 0])})


@pytest.mark.parametrize("shares", [(1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.0, 1.0, 0.0), (0.0, 0.25, 0.75)])
def test_operators_come_as_often_as_their_shares_say(shares):
    found, _ = search()
    found.settings = replace(found.settings, operator_shares=shares)
    drawn = np.bincount([found._operator() for _ in range(20_000)], minlength=3) / 20_000
    np.testing.assert_allclose(drawn, shares, atol=0.015)
    assert (drawn > 0).tolist() == [share > 0 for share in shares]


def test_parents_are_drawn_by_fitness_and_alike_where_none_has_any():
    found, _ = search()
    found.genomes, found.quality = (
        np.zeros((3, 4), dtype=np.int32),
        np.array([[0.1, 0, 0, 0], [-1, 0, 0, 0], [0.3, 0, 0, 0]]),
    )
    drawn = np.bincount([found._parent() for _ in range(4000)], minlength=3) / 4000
    assert drawn == pytest.approx([0.25, 0, 0.75], abs=0.03)
    found.quality[:, 0] = -1
    assert np.bincount([found._parent() for _ in range(3000)]) / 3000 == pytest.approx(1 / 3, abs=0.04)
