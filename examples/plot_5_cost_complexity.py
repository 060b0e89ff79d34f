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
# The path: each tree is the best for some price of a leaf. The training error falls with every leaf; the error in
# cross-validation does not.

print(clf.pruning_path_)
clf.pruning_path_.plot()

# %%
# The tree that was chosen:

print(clf.tree_)
clf.tree_.plot()

# %%
# The one-standard-error rule takes the smallest tree that is not clearly worse than the best one.

small = cw.CARTClassifier(one_se=True, random_state=0).fit(X, y)
small.tree_.plot()
