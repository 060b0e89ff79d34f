"""
Partitions and hyper-planes
===========================

With two numeric features, a tree can be seen as a map: each leaf is a region of the plane. ``tree.plot_partition``
draws it: regions in the colour of the predicted class, a line where each test cuts, and the rows on top.
"""

import numpy as np

import clearwood as cw

rng = np.random.default_rng(0)
X = rng.uniform(0, 10, size=(400, 2))
kind = np.where(0.6 * X[:, 0] + X[:, 1] > 9, "high", np.where(X[:, 0] > 4, "right", "left"))
table = cw.Table(
    [cw.Column("width"), cw.Column("length")],
    [X[:, 0], X[:, 1]],
    target=cw.Column("kind", ("high", "left", "right")),
    y=[("high", "left", "right").index(label) for label in kind],
)

# %%
# Tests of one feature at a time can only cut along the axes, so a slanting border becomes a staircase.

stairs = cw.C45Classifier().fit(table).tree_
print(stairs.n_leaves, "leaves")
stairs.plot_partition(table)

# %%
# A test of a weighted sum, a hyper-plane, cuts along any straight line. A tree can hold both kinds of test; here one is
# put together by hand, children first. ``missing=0`` names the branch of rows without the value; otherwise they are
# shared out over both.

build = cw.TreeBuilder(table.columns, table.classes, target="kind")
high, left, right = (build.leaf(np.eye(3)[i] * np.count_nonzero(table.y == i)) for i in range(3))
below = build.threshold("width", 4.0, [left, right], missing=0)
tree = build.build(build.linear({"length": 1.0, "width": 0.6}, 9.0, [below, high]))
tree.plot_partition(table)

# %%
# All else works as with any tree: the text, the rules, the path of a row, SQL, JSON and the picture.

print(tree)
print(tree.rules())
print(tree.explain(table, 0))
print(tree.where_leaf(2, "duckdb"))
tree.plot()
