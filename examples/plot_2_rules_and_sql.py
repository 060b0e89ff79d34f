"""
Rules, and SQL that runs
========================

A tree is a list of rules, and a database can apply them where the data lies.
"""

import duckdb
import numpy as np
from sklearn.datasets import load_wine

import clearwood as cw

# %%
# Three vineyards, told apart by chemistry.

wine = load_wine(as_frame=True)
X = wine.data.round(2)
y = wine.target_names[wine.target]
clf = cw.C45Classifier().fit(X, y)
clf.tree_.plot()

# %%
# One rule for each leaf, the one with the most rows first. Two conditions on the same column are merged.

rules = clf.tree_.rules()
print(rules)

# %%
# As a frame, to sort and filter:

rules.to_frame().round(2)

# %%
# The SQL for DuckDB (there are eight more dialects) is one statement, a rule on each line:

sql = clf.tree_.to_sql("wines", dialect="duckdb")
print(sql)

# %%
# It adds the predicted class to each row. Here it runs, and its answers are
# compared with Python's. A database keeps rows in no order, hence the numbered bottles.

wines = X.assign(bottle=range(len(X)))
scored = duckdb.sql(f"SELECT * FROM ({sql}) ORDER BY bottle").df()
print("new columns:", scored.columns[len(wines.columns) :].tolist())
print("agree on all rows:", bool(np.all(scored["predicted"] == clf.predict(X))))

# %%
# The same, to fetch the bottles of one kind only:

found = duckdb.sql(clf.tree_.to_sql("wines", dialect="duckdb", only="class_2")).df()
print(len(found), "bottles look like class_2")
