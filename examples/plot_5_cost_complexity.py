"""
CART's cost-complexity path
===========================

CART grows a large tree and cuts it back step by step, each time where a leaf less costs least. The path of these trees
is computed once; cross-validation picks one of them.
"""

from sklearn.datasets import load_breast_cancer

import clearwood as cw

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
clf = cw.CARTClassifier(random_state=0).fit(X, y)

# %%
# The path: for each tree its number of leaves and its error.

PATH

# %%
# The chosen tree:

print(clf.tree_)
clf.tree_.plot()
