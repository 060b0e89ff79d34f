"""
Missing values and nominal columns
==================================

Texts and categories stay what they are, and missing cells need no repair: a row whose value is missing goes down all
branches, with a share of its weight in each.
"""

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

import clearwood as cw

# %%
# A table with nominal columns and holes: the breast cancer data, with some measurements given as words and a
# fifth of all cells lost.

cancer = load_breast_cancer(as_frame=True)
frame = cancer.data[["mean radius", "mean texture", "worst concavity", "worst perimeter"]].copy()
for column, words in (("worst concavity", ["flat", "hollow", "deep"]), ("mean texture", ["fine", "even", "coarse"])):
    frame[column] = pd.qcut(frame[column], 3, labels=words)
rng = np.random.default_rng(0)
frame = frame.mask(rng.random(frame.shape) < 0.2)
frame["diagnosis"] = cancer.target_names[cancer.target]
frame.head()

# %%
# What Clearwood understood:

table = cw.read(frame, target="diagnosis")
print(table.summary())

# %%
# The tree has one branch for each word. Counts may be fractions: those rows were shared out.

clf = cw.C45Classifier(min_leaf=10).fit(table)
print(clf.tree_)
clf.tree_.plot()

# %%
# A row with a hole in it, explained:

hole = int(np.flatnonzero(frame["worst perimeter"].isna() & frame["worst concavity"].notna())[0])
print(clf.tree_.explain(table, hole))
