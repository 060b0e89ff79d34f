"""NodeQueue: the order of its nodes against a sort."""

import numpy as np

from clearwood.kernels.ism.node_queue import NodeQueue


def test_nodes_come_by_urgency_then_by_number():
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 7, 64, 65, 500):
        for values in (3, 1000):
            urgency = rng.integers(0, values, n).astype(float).tolist()
            assert NodeQueue().drained(urgency) == sorted(range(n), key=lambda node: (-urgency[node], node))
