"""PartCounts beside its twin."""

import numpy as np
import pytest

from clearwood.kernels.reference.routing.part_counts import counted
from clearwood.kernels.routing.part_counts import PartCounts


def random_ranges(rng, n_features, n_nodes):
    """For each feature and node up to four ranges, ascending; some picked out, some of one value."""
    ranges, limits = [], []
    for _ in range(n_features):
        by_node = []
        for _ in range(n_nodes):
            edges = np.sort(rng.choice(np.arange(-20, 21) / 4, 2 * rng.integers(0, 5), replace=False))
            by_node.append(list(range(len(limits), len(limits) + len(edges) // 2)))
            for low, high in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                high = low if rng.random() < 0.2 else high
                n_parts = int(rng.integers(1, 9)) if high > low else 0
                scale = n_parts / (high - low) if n_parts else 0.0
                limits.append((low, high, scale, -1 if rng.random() < 0.3 else n_parts))
        ranges.append(by_node)
    return ranges, limits


def kernel(ranges, limits, n_classes):
    first = np.append(0, np.cumsum([len(numbers) for by_node in ranges for numbers in by_node])).astype(np.int64)
    low, high, scale, last = map(np.array, zip(*limits, strict=True))
    return PartCounts(first, low, high, scale, last.astype(np.int64), len(ranges), len(ranges[0]), n_classes)


@pytest.mark.parametrize("seed", range(20))
def test_counts_are_those_of_the_twin_in_any_batches(seed):
    rng = np.random.default_rng(seed)
    n_features, n_nodes, n_classes, n_rows = 3, 4, 3, 300
    ranges, limits = random_ranges(rng, n_features, n_nodes)
    cells = np.round(rng.normal(0, 3, (n_features, n_rows)), 2)
    cells[rng.random(cells.shape) < 0.1] = np.nan
    node = rng.integers(-1, n_nodes, n_rows).astype(np.int32)
    y = rng.integers(0, n_classes, n_rows).astype(np.int32)
    counts = kernel(ranges, limits, n_classes)
    picked = []
    for begin, end in ((0, 100), (100, 100), (100, 300)):
        for feature in range(n_features):
            rows, numbers = counts.add(feature, cells[feature, begin:end], node[begin:end], y[begin:end]).tolist()
            picked += [(row + begin, feature, number) for row, number in zip(rows, numbers, strict=True)]
    expected, expected_picked = counted(ranges, limits, list(zip(cells.T, node, y, strict=True)), n_classes)
    assert sorted(picked) == sorted(expected_picked) and expected_picked
    assert counts.parts[:, 2:].sum() == sum(sum(classes) for classes, _, _ in expected.values()) > 0
    for (number, part), (classes, least, most) in expected.items():
        place = counts.first_part[number] + part
        assert counts.parts[place].tolist() == [least, most, *classes]


@pytest.mark.parametrize("seed", range(5))
def test_what_several_have_counted_adds_up(seed):
    rng = np.random.default_rng(seed)
    ranges, limits = random_ranges(rng, 2, 3)
    cells = np.round(rng.normal(0, 3, (2, 200)), 2)
    node, y = rng.integers(-1, 3, 200).astype(np.int32), rng.integers(0, 2, 200).astype(np.int32)
    whole, one, other = (kernel(ranges, limits, 2) for _ in range(3))
    for feature in range(2):
        for counts, rows in ((whole, slice(None)), (one, slice(0, 80)), (other, slice(80, None))):
            counts.add(feature, cells[feature, rows], node[rows], y[rows])
    n_parts = len(whole.parts)
    for begin, end in ((0, n_parts // 3), (n_parts // 3, n_parts), (n_parts, n_parts)):
        one.add_parts(other, begin, end)
    assert one.parts.tolist() == whole.parts.tolist() and whole.parts[:, 2:].sum() > other.parts[:, 2:].sum() > 0
    with pytest.raises(ValueError, match="end must lie between"):
        one.add_parts(other, 0, n_parts + 1)
    with pytest.raises(ValueError, match="same length"):
        one.add_parts(kernel(ranges, limits, 3), 0, 1)


def test_values_beyond_the_rounded_end_fall_into_the_last_part():
    low, high = 0.1, 0.7
    counts = PartCounts(np.array([0, 1]), np.array([low]), np.array([high]), np.array([1e9]), np.array([5]), 1, 1, 1)
    counts.add(0, np.array([low, high]), np.zeros(2, dtype=np.int32), np.zeros(2, dtype=np.int32))
    assert counts.parts[:, 2].tolist() == [1, 0, 0, 0, 0, 1]


def test_what_does_not_fit_is_refused():
    one = np.array([0.0])
    with pytest.raises(ValueError, match="first_range must rise"):
        PartCounts(np.array([0, 2]), one, one, one, np.array([0]), 1, 1, 2)
    counts = PartCounts(np.array([0, 1]), one, one, one, np.array([0]), 1, 1, 2)
    no, yes = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    with pytest.raises(ValueError, match="node must lie between"):
        counts.add(0, one, yes, no)
    with pytest.raises(ValueError, match="y must lie between"):
        counts.add(0, one, no, np.array([2], dtype=np.int32))
    with pytest.raises(ValueError, match="same length"):
        counts.add(0, np.zeros(2), no, no)
    with pytest.raises(ValueError, match="feature must lie between 0 and 0"):
        counts.add(1, one, no, no)
