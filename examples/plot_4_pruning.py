"""
Pruning: confidence against size
================================

How small can the tree be before it gets worse? C4.5 cuts a subtree when a pessimistic estimate says that a leaf
would err no more often. ``confidence`` says how pessimistic: smaller values cut more.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

import clearwood as cw
from clearwood.evaluate import evaluate

# %%
# Real labels are never quite right, and a tree that learns the wrong ones grows for nothing. Here one diagnosis in
# ten is turned round, so no tree can be expected to be right more than nine times in ten.

cancer = load_breast_cancer(as_frame=True)
wrong = np.random.default_rng(0).random(len(cancer.target)) < 0.1
diagnosis = cancer.target_names[np.where(wrong, 1 - cancer.target, cancer.target)]
table = cw.read(cancer.data.assign(diagnosis=diagnosis), target="diagnosis")

# %%
# Ten-fold cross-validation, three times, for each level of confidence; 0.25 is the default.

levels = [0.001, 0.005, 0.02, 0.1, 0.25]
found = [evaluate(cw.C45Classifier(confidence=level), table, cv=10, repeats=3) for level in levels]

leaves = [result.leaves.mean() for result in found]
mean, low, high = (
    100 * np.array([getattr(result.interval, key) for result in found]) for key in ("mean", "low", "high")
)
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.errorbar(leaves, mean, yerr=[mean - low, high - mean], color="#0072B2", marker="o", capsize=3)
for level, x, y in zip(levels, leaves, mean, strict=True):
    ax.annotate(f"{level:g}", (x, y), xytext=(5, 6), textcoords="offset points")
ax.set(xlabel="leaves, mean over the folds", ylabel="accuracy, %", title="each point is a level of confidence")
ax.spines[["top", "right"]].set_visible(False)

# %%
# Nearly half of the leaves can go, and nothing is lost. This is the tree at 0.005:

cw.C45Classifier(confidence=0.005).fit(table).tree_.plot()

# %%
# Where a tree must fit on a page, ``max_leaves`` is a hard limit: after pruning, the weakest branches are cut. Ten
# kinds of handwritten digits in twenty leaves:

digits = load_digits(as_frame=True)
small = cw.C45Classifier(max_leaves=20).fit(digits.data, digits.target)
small.tree_.plot()
