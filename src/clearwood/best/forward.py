"""Forward scheme: rows in the order of time, so that only later rows judge."""

from __future__ import annotations

import numpy as np

from clearwood.best.splits import Outer, Scheme, Test, kept_apart

__all__ = ["BLOCKS", "forward_scheme"]

BLOCKS = 6  # of rows in the order of time


def forward_scheme(time: np.ndarray, group: np.ndarray | None = None, rng: np.random.Generator | None = None) -> Scheme:
    """Blocks in the order of time: trees of all blocks before one are tested by it.

    They choose for the blocks after it, and are what was chosen for it. With groups, trees have seen no row of a group
    that tests them, and no row of a group that judges a choice has made it.

    >>> scheme = forward_scheme(np.arange(12.0))
    >>> [len(fit) for fit in scheme.fits], [scheme.tests[o.test].rows.tolist() for o in scheme.outers][0]
    ([12, 2, 4, 6, 8, 10], [4, 5])
    """
    block = _blocks(time)
    n = int(block.max()) + 1
    fits, tests = [np.arange(len(time))], []
    for k in range(1, n):
        learned, tested = block < k, block == k
        if group is not None:
            learned, tested = kept_apart(learned, tested, group, rng or np.random.default_rng(0))
        if not learned.any():
            raise ValueError("group and time leave no earlier rows of other groups to learn from; give one of the two.")
        fits.append(np.flatnonzero(learned))
        tests.append(Test(k, np.flatnonzero(tested)))
    outers = []
    for k in range(1, n - 1):
        inner = list(range(k))
        if group is not None:
            inner = []
            for test in tests[:k]:
                apart = ~np.isin(group[test.rows], group[tests[k].rows])
                if apart.any():
                    inner.append(len(tests))
                    tests.append(Test(test.fit, test.rows[apart]))
        if inner:
            outers.append(Outer(k, tuple((test,) for test in inner)))
    if not outers:
        raise ValueError("group and time leave no rows that could choose for later ones; give one of the two.")
    words = f"forward in time: {len(outers)} blocks, each tested by trees of all that lie before it"
    words += ", of other groups" if group is not None else ""
    return Scheme(tuple(fits), tuple(tests), tuple((test,) for test in range(n - 1)), 0, tuple(outers), words)


def _blocks(time: np.ndarray) -> np.ndarray:
    """The block of each row; moments are not divided, so blocks hold about the same number of rows."""
    moments, place = np.unique(time, return_inverse=True)
    if len(moments) < 3:
        raise ValueError(f"time must have at least 3 different values to test forward, got {len(moments)}.")
    reached = np.cumsum(np.bincount(place)) / len(time)
    block_of = np.minimum(((reached - 1e-9) * BLOCKS).astype(np.int64), BLOCKS - 1)
    block: np.ndarray = np.unique(block_of, return_inverse=True)[1][place]
    if block.max() < 2:
        block = np.unique(np.minimum(np.arange(len(moments)) * 3 // len(moments), 2), return_inverse=True)[1][place]
    return block
