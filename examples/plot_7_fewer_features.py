"""
Fewer features with SET-GEN
===========================

A tree grown from thirty measurements is harder to check than one grown from three. SET-GEN searches for the features
that suffice: it breeds feature subsets and judges each by cross-validated trees.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import clearwood as cw

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
everything = cw.C45Classifier().fit(X, y)
clf = cw.SetGenClassifier(evaluations=600, random_state=0).fit(X, y)
print(f"C4.5: {everything.tree_.n_nodes} nodes, {len(everything.tree_.features)} features")
print(f"SET-GEN: {clf.tree_.n_nodes} nodes, {len(clf.tree_.features)} features")

# %%
# The tree that was grown from the chosen features:

clf.tree_.plot()

# %%
# How the search went so far: the population's mean follows its best as good features spread.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
clf.plot_history(left)

# The share of the final subsets that hold each feature tells what mattered.
names = sorted(clf.feature_frequency_, key=clf.feature_frequency_.get)[-8:]
right.barh(names, [clf.feature_frequency_[name] for name in names], color="#0072b2")
right.set_xlabel("share of the final subsets")
right.spines[["top", "right"]].set_visible(False)

# %%
# Costs, in a longer search. If the "worst" values took ten times the effort of the others, which features would do?

dear = {name: 10 for name in X.columns if name.startswith("worst")}
for costs in (None, dear):
    found = cw.SetGenClassifier(evaluations=2000, random_state=0, feature_costs=costs).fit(X, y)
    print("with costs:" if costs else "without:", ", ".join(found.features_))
