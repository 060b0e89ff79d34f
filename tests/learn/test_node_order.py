import numpy as np

from clearwood.learn.node_order import breadth_first


def test_nodes_in_depth_first_order_become_breadth_first():
    # 0 has the children 1 and 4, 1 has 2 and 3, 4 has 5 and 6
    left, right = np.array([1, 2, -1, -1, 5, -1, -1]), np.array([4, 3, -1, -1, 6, -1, -1])
    order, first = breadth_first(left, right)
    assert order.tolist() == [0, 1, 4, 2, 3, 5, 6]
    assert first.tolist() == [1, 3, 5, -1, -1, -1, -1] and first.dtype == np.int32


def test_nodes_that_no_path_reaches_are_left_out():
    order, first = breadth_first(np.array([-1, 2, -1]), np.array([-1, 0, -1]))
    assert (order.tolist(), first.tolist()) == ([0], [-1])
