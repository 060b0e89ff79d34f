import numpy as np
from sample_study import blobs
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

from clearwood.evaluate.arrays import fit_encoder
from clearwood.table import Column, Table


def test_the_encoding_is_scikit_learns():
    table = blobs(missing=True)
    train, tests = table.take((np.arange(60) < 40) & (table.column("sky") >= 0)), table.take(np.arange(40, 60))
    numbers = SimpleImputer(strategy="median")
    values = OneHotEncoder(handle_unknown="ignore", sparse_output=False)  # a missing cell, -1, is unknown to it
    peer = ColumnTransformer([("numbers", numbers, [0, 1]), ("values", values, [2])])
    peer.fit(_cells(train))
    ours = fit_encoder(train, keep_missing=False)
    assert np.array_equal(ours.encode(tests), peer.transform(_cells(tests)))
    assert ours.feature.tolist() == [0, 2, 1, 1, 1]


def _cells(table):
    return np.column_stack([table.column("first"), table.column("second"), table.column("sky")])


def test_nothing_is_learned_from_the_test_rows():
    columns = [Column("age"), Column("sky", ("sun", "rain", "snow"))]
    train = Table(columns, [[1.0, 3.0, np.nan], [0, 0, 2]], target=Column("c", ("n", "y")), y=[0, 1, 1])
    tests = Table(columns, [[np.nan, 500.0], [1, -1]], target=Column("c", ("n", "y")), y=[0, 1])
    assert fit_encoder(train, keep_missing=False).encode(tests).tolist() == [[2.0, 0.0, 0.0], [500.0, 0.0, 0.0]]
    assert np.isnan(fit_encoder(train, keep_missing=True).encode(tests)[0, 0])


def test_a_column_without_any_number_is_zero():
    table = Table([Column("x")], [[np.nan, np.nan]])
    assert fit_encoder(table, keep_missing=False).encode(table).tolist() == [[0.0], [0.0]]
