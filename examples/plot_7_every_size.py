"""
The best tree of every size
===========================

How many rules does the data support? One evolutionary search looks for the best tree of two leaves, three, four and so
on; cross-validation tells which of these sizes does best on rows that it has not seen.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import clearwood as cw

wine = cw.read(load_wine(as_frame=True).frame, target="target")
clf = cw.ParetoTreeClassifier(generations=200, max_leaves=12, random_state=0).fit(wine)
print(clf.explain_choice())

# %%
# Training error only falls with more rules. Cross-validated error falls, then stays or rises: the rules that are
# added last fit the noise. C4.5's own tree is marked with its training error.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")
c45 = cw.C45Classifier().fit(wine)
clf.plot_front(left, marks={"C4.5": c45})
clf.plot_search(right)

# %%
# Another size is a call away, without a new search. Four rules leave three of 178 wines in the wrong place, and no
# other tree of four leaves does better.

print(clf.choose(4).tree_)
clf.tree_.plot()

# %%
# Trees of all learners can compete on one picture.

front = cw.join_fronts(clf.front_.by("Pareto"), cw.variable_node_c45(wine), cw.CARTClassifier(random_state=0).fit(wine))
ax = front.plot(plt.figure(figsize=(6, 3.6), layout="constrained").add_subplot())

# %%
# Objectives. If the chemical analyses cost ten times as much as the two that need no laboratory, what does a cheaper
# tree cost in errors?

cheap = ("alcohol", "color_intensity")
costs = {name: 1 if name in cheap else 10 for name in wine.feature_names}
priced = cw.ParetoTreeClassifier(
    generations=200, max_leaves=6, selection=5, objectives=["leaves", "error", "cost"], test_costs=costs, random_state=0
).fit(wine)
for entry in priced.front_:
    if entry.n_leaves == 5:
        print(f"{178 * entry.training_error:3.0f} errors at a mean cost of {entry.cost:.1f}")
