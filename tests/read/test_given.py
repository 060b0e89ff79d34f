import pytest

import clearwood as cw
from clearwood.read.given import read_table


@pytest.fixture
def weather(tmp_path):
    file = tmp_path / "weather.csv"
    file.write_text("wind,sky,play\n1,sun,no\n2,rain,yes\n", encoding="utf-8")
    return file


def test_options_that_are_none_keep_the_readers_defaults(weather):
    table = read_table(str(weather), target=None, nominal=["wind"], missing=None, query=None)
    assert table.digest == cw.read(weather, nominal=["wind"]).digest
    assert read_table(weather, target=False).target is None


def test_a_table_is_given_back(weather):
    table = cw.read(weather)
    assert read_table(table) is table


def test_what_stands_for_no_table():
    with pytest.raises(TypeError, match="tables must hold Tables, paths or names of data sets, got int"):
        read_table(3)


def test_an_unknown_data_set(tmp_path, monkeypatch):
    (tmp_path / "soybean.arff").touch()
    monkeypatch.setenv("CLEARWOOD_DATA", str(tmp_path))

    def offline(name):
        raise FileNotFoundError("OpenML gave none.")

    monkeypatch.setattr("clearwood.read.datasets.load", offline)
    with pytest.raises(ValueError, match=r"no data set 'soybeen'; did you mean 'soybean'\?.*OpenML gave none\."):
        read_table("soybeen")
    with pytest.raises(FileNotFoundError, match=r"no file nowhere.csv"):
        read_table("nowhere.csv")
