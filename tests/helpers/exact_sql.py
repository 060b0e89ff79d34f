"""Exact SQL: the form that shares out rows with missing values, in which every row gets the tree's own answer."""

from __future__ import annotations

from functools import partial

from clearwood.export import sql

__all__ = ["to_sql", "where_class", "where_leaf"]

to_sql = partial(sql.to_sql, missing="exact")
where_class = partial(sql.where_class, missing="exact")
where_leaf = partial(sql.where_leaf, missing="exact")
