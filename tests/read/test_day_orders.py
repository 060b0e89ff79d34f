"""Dates written with the day or the month first: read where they can mean one thing only, else left and told."""

import warnings
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from clearwood import C45Classifier
from clearwood.read import read
from clearwood.read.day_orders import fitting_orders, parse_in_order


def written(tmp_path, cells, form):
    frame = pd.DataFrame({"when": cells, "y": ["a", "b"] * (len(cells) // 2) + ["a"] * (len(cells) % 2)})
    if form == "frame":
        return frame
    path = tmp_path / f"t.{form}"
    {"csv": lambda: frame.to_csv(path, index=False), "parquet": lambda: frame.to_parquet(path)}.get(
        form, lambda: frame.to_json(path, orient="records", lines=True)
    )()
    return path


def moment(*parts):
    return datetime(*parts, tzinfo=UTC).timestamp() * 1000


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "frame"])
@pytest.mark.parametrize(
    ("cells", "order", "last"),
    [
        (["01/02/2020", "31/12/2020"], "DMY", (2020, 12, 31)),
        (["01/02/2020", "12/31/2020"], "MDY", (2020, 12, 31)),
        (["1.2.2020", "31.12.2020"], "DMY", (2020, 12, 31)),
        (["01-02-2020 10:00", "31-12-2020 23:59:58"], "DMY", (2020, 12, 31, 23, 59, 58)),
        (["2020/01/02", "2020/02/01"], "YMD", (2020, 2, 1)),
    ],
)
def test_dates_of_one_order_are_dates_and_it_is_said(tmp_path, form, cells, order, last):
    with pytest.warns(UserWarning, match=f"column 'when' is read as dates in the order {order}"):
        table = read(written(tmp_path, cells, form))
    assert table.columns[0].is_date and table.column("when")[1] == moment(*last)


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "frame"])
def test_dates_of_two_orders_stay_text_until_the_order_is_said(tmp_path, form):
    source = written(tmp_path, ["01/02/2020", "03/04/2020"], form)
    with pytest.warns(UserWarning, match="day and month cannot be told apart: state dates='DMY' or dates='MDY'"):
        table = read(source)
    assert table.columns[0].values == ("01/02/2020", "03/04/2020")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(source, dates="DMY").column("when")[0] == moment(2020, 2, 1)
        assert read(source, dates="MDY").column("when")[0] == moment(2020, 1, 2)
        assert read(source, nominal="when").columns[0].is_nominal


def test_what_is_no_date_in_any_order_stays_text(tmp_path):
    for cells in (["31/12/2020", "12/31/2020"], ["32/01/2020"], ["31/12/2020", "soon"], ["31/12.2020"], ["1/2/20"]):
        assert read(written(tmp_path, cells, "frame")).columns[0].is_nominal
    assert fitting_orders([]) == {}


def test_classes_stay_as_they_are_written(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,31/12/2020\n2,30/12/2020\n")
    assert read(path).classes == ("30/12/2020", "31/12/2020")


def test_an_order_that_is_none_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,a\n")
    for order in ("YMD", "dmy", ""):
        with pytest.raises(ValueError, match="dates must be 'DMY' or 'MDY'"):
            read(path, dates=order)


def test_a_tree_of_such_dates_predicts_iso_dates_alike():
    days = pd.date_range("2020-01-01", periods=60)
    y = np.where(days < "2020-02-10", "early", "late")
    with pytest.warns(UserWarning, match="order DMY"):
        tree = C45Classifier().fit(pd.DataFrame({"when": days.strftime("%d/%m/%Y")}), y).tree_
    assert "2020-02" in str(tree)
    assert tree.predict(read(pd.DataFrame({"when": days}), target=False)).tolist() == (y == "late").astype(int).tolist()
    unclear = read(pd.DataFrame({"when": ["01/02/2020"]}), target=False, nominal="when")
    with pytest.raises(ValueError, match=r"say their order with dates="):
        tree.predict(unclear)


def test_parts_are_counted_as_written():
    assert parse_in_order("1/2/1970", "DMY") == 31 * 86_400_000.0
    with pytest.raises(ValueError, match="not a date in the order MDY"):
        parse_in_order("1970-01-01", "MDY")
