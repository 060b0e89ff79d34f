"""
A forest seen through one tree
==============================

A random forest of 100 trees, and one tree that stands for it.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

import clearwood as cw

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
forest = RandomForestClassifier(100, random_state=0).fit(X, y)

# %%
# ISM grows a tree from the forest's class distributions. Without a limit it labels every training row as the forest
# does; the curve shows how many leaves that takes, and how few get near. ``estimate="data"`` gives the smallest trees.

for estimate in ("trees", "mixed", "data"):
    clf = cw.ISMClassifier(forest, estimate=estimate).fit(X, y)
    clf.fidelity_curve_.plot(plt.gca(), label=estimate)
plt.legend(title="estimate")

# %%
# Six leaves of it:

clf = cw.ISMClassifier(forest, estimate="data", max_leaves=6).fit(X, y)
print(clf.tree_)
clf.tree_.plot()

# %%
# Tree, forest and C4.5 on rows that none of them has seen:

print(f"forest {forest.score(X_test, y_test):.3f}")
print(f"ISM    {clf.score(X_test, y_test):.3f}, with {clf.tree_.n_leaves} leaves")
c45 = cw.C45Classifier().fit(X, y)
print(f"C4.5   {c45.score(X_test, y_test):.3f}, with {c45.tree_.n_leaves} leaves")

# %%
# Where tree and forest disagree among those rows, as rules:

print(clf.disagreements(X_test))
