"""
Pruning: confidence against size
================================

How small can the tree be before it gets worse? C4.5 prunes a subtree when a pessimistic estimate says that a leaf
would err no more often. ``confidence`` says how pessimistic.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import clearwood as cw
from clearwood.evaluate import evaluate

digits = load_digits(as_frame=True)
table = cw.read(digits.frame, target="target", nominal=["target"])

# %%
# Five-fold cross-validation for each level of confidence; 0.25 is the default.

levels = [0.001, 0.005, 0.02, 0.1, 0.25, 0.5]
found = [evaluate(cw.C45Classifier(confidence=level), table, cv=5, repeats=1) for level in levels]

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
leaves = [result.leaves.mean() for result in found]
ax.errorbar(
    leaves,
    [100 * result.interval.mean for result in found],
    yerr=[
        [100 * (result.interval.mean - result.interval.low) for result in found],
        [100 * (result.interval.high - result.interval.mean) for result in found],
    ],
    color="#0072B2",
    marker="o",
    capsize=3,
)
for level, x, result in zip(levels, leaves, found, strict=True):
    ax.annotate(f"{level:g}", (x, 100 * result.interval.mean), xytext=(5, 6), textcoords="offset points")
ax.set(xlabel="leaves (mean over the folds)", ylabel="accuracy, %", title="digits: each point is a confidence level")
ax.spines[["top", "right"]].set_visible(False)

# %%
# A tree for a page: a hard limit on the leaves.

small = cw.C45Classifier(max_leaves=20).fit(table)
small.tree_.plot()
