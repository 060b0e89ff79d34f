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
clf = cw.SetGenClassifier(evaluations=2000, random_state=0).fit(X, y)
print(f"C4.5: {everything.tree_.n_nodes} nodes, {len(everything.tree_.features)} features")
print(f"SET-GEN: {clf.tree_.n_nodes} nodes, {len(clf.tree_.features)} features")

# %%
# The tree that was grown from the chosen features:

clf.tree_.plot()

# %%
# How the search went. The population's mean catches up with its best as good features spread.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
clf.plot_history(left)

# The share of the final subsets that hold each feature tells what mattered.
names = sorted(clf.feature_frequency_, key=clf.feature_frequency_.get)[-8:]
right.barh(names, [clf.feature_frequency_[name] for name in names], color="#0072b2")
right.set_xlabel("share of the final subsets")
right.spines[["top", "right"]].set_visible(False)

# %%
# Costs. If the "worst" values took ten times the effort of the others, which features would do?

worst = [name for name in X.columns if name.startswith("worst")]
frugal = cw.SetGenClassifier(evaluations=2000, random_state=0, feature_costs=dict.fromkeys(worst, 10)).fit(X, y)
print("without costs:", ", ".join(clf.features_))
print("with costs:   ", ", ".join(frugal.features_))
