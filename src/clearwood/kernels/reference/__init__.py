"""The plain twins: what the compiled kernels do, written to be read, and used by the tests only.

Each learner here follows its specification step by step with Python numbers and lists, and shares no code
with the kernels. It is slow on purpose: no shortcut that would have to be argued for.

The twins live in rooms of the same names as the kernels. A grown tree is a :class:`Node` with its rows still in it;
:func:`to_arrays` numbers the nodes and gives the arrays of a ``clearwood.Tree``, which the room of routing reads again.
"""

from clearwood.kernels.reference.columns.order import filter_order, sort_columns
from clearwood.kernels.reference.greedy.c45_grow import grow_c45
from clearwood.kernels.reference.greedy.c45_options import C45Options
from clearwood.kernels.reference.greedy.c45_prune import collapse, prune
from clearwood.kernels.reference.greedy.c45_tree import c45_tree
from clearwood.kernels.reference.greedy.cart import grow_cart
from clearwood.kernels.reference.greedy.cart_faults import cart_faults
from clearwood.kernels.reference.greedy.class_table import ClassTable
from clearwood.kernels.reference.greedy.criteria import (
    entropy,
    gain_ratio,
    gini,
    gini_split,
    information_gain,
    split_information,
    twoing,
)
from clearwood.kernels.reference.greedy.id3 import grow_id3
from clearwood.kernels.reference.greedy.node import Node, Test, to_arrays
from clearwood.kernels.reference.greedy.pessimistic_error import extra_errors
from clearwood.kernels.reference.routing.routes import leaves, predicted, probabilities
from clearwood.kernels.reference.routing.weakest_links import all_prunings, weakest_links

__all__ = [
    "C45Options",
    "ClassTable",
    "Node",
    "Test",
    "all_prunings",
    "c45_tree",
    "cart_faults",
    "collapse",
    "entropy",
    "extra_errors",
    "filter_order",
    "gain_ratio",
    "gini",
    "gini_split",
    "grow_c45",
    "grow_cart",
    "grow_id3",
    "information_gain",
    "leaves",
    "predicted",
    "probabilities",
    "prune",
    "sort_columns",
    "split_information",
    "to_arrays",
    "twoing",
    "weakest_links",
]
