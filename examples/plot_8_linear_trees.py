"""
Linear trees and OC1
====================

Tests of one feature cut along the axes. A linear tree cuts along any straight line: fewer tests, where borders slant.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import clearwood as cw

# %%
# Two oblique lines bound a class. An axis-parallel tree approximates them by stairs; a linear tree evolved as a whole
# finds the two lines.

table = cw.artificial.two_planes(random_state=0)
learners = {
    "C4.5": cw.C45Classifier(),
    "OC1": cw.OC1Classifier(random_state=0),
    "linear": cw.LinearTreeClassifier(random_state=0),
}
figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
for ax, (name, learner) in zip(axes, learners.items(), strict=True):
    tree = learner.fit(table).tree_
    tree.plot_partition(table, ax)
    ax.set_title(f"{name}: {tree.n_leaves} leaves")

# %%
# The chessboard and the zebra stripes of the paper, each with as many noise features as others. Their weights come out
# as zero, so the partition can still be drawn.

figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
for ax, name in zip(axes, ("chess2", "zebra1"), strict=True):
    noisy = cw.artificial.make(name, noise=1, random_state=0)
    clf = cw.LinearTreeClassifier(random_state=0).fit(noisy)
    print(clf.tree_)
    clf.tree_.plot_partition(noisy, ax, features=("x1", "x2"))
    ax.set_title(f"{name}: {clf.tree_.n_leaves} leaves")

# %%
# How the search went: the best tree's fitness, and the population's mean.

clf.plot_history()

# %%
# Mixed trees hold planes, thresholds and sets of values, and take nominal columns: here the border between the sizes
# depends on the shape.

rng = np.random.default_rng(0)
shape = rng.choice(["round", "square", "flat"], 600)
width, length = rng.uniform(1, 5, (2, 600))
fits = np.where(shape == "round", width + length < 6, width < 2)
parts = pd.DataFrame({"shape": shape, "width": width, "length": length, "fits": np.where(fits, "yes", "no")})
print(cw.LinearTreeClassifier(tests="mixed", random_state=0).fit(cw.read(parts, target="fits")).tree_)
