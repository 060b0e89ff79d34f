"""
A first tree
============

Grow a tree from a data frame, print it, draw it, ask it for the reasons of one answer.
"""

from sklearn.datasets import load_iris

import clearwood as cw

# %%
# Any frame will do. The class may be texts; they are used as they are.

iris = load_iris(as_frame=True)
X = iris.data
y = iris.target_names[iris.target]
clf = cw.C45Classifier(min_leaf=5).fit(X, y)
print(clf.tree_)

# %%
# The picture says the same. Wide boxes hold many rows, deep colours are pure, and the strip in a box shows
# the shares of all classes.

clf.tree_.plot()

# %%
# Why is flower 120 what the tree says it is?

table = cw.read(X.assign(species=y), target="species")
print(clf.tree_.explain(table, 120))

# %%
# How good is it on flowers it has not seen? Ten-fold cross-validation, five times:

from clearwood.evaluate import evaluate

print(evaluate(cw.C45Classifier(min_leaf=5), table, cv=10, repeats=5))
