import pytest
from sample_study import blobs
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.studies.named import learners_by_name, tables_by_name


def test_learners_are_known_by_what_they_print_or_by_the_text_that_made_them():
    found = learners_by_name(["c45:confidence=0.1,min_leaf=5", cw.C45Classifier(min_leaf=3)])
    assert list(found) == ["c45:confidence=0.1,min_leaf=5", "C45Classifier(min_leaf=3)"]
    assert found["c45:confidence=0.1,min_leaf=5"].min_leaf == 5
    assert list(learners_by_name(cw.C45Classifier(min_leaf=3))) == ["C45Classifier(min_leaf=3)"]
    assert list(learners_by_name({"mine": "cart"})) == ["mine"]


def test_what_is_no_learner():
    with pytest.raises(TypeError, match="learners must hold classifiers or their names"):
        cw.compare([DecisionTreeClassifier], blobs())
    with pytest.raises(TypeError, match="learners must hold classifiers or their names, got 3"):
        cw.compare([3], blobs())
    with pytest.raises(ValueError, match="holds 'c45' twice"):
        cw.compare(["c45", "c45"], blobs())
    with pytest.raises(ValueError, match="at least one learner"):
        cw.compare([], blobs())
    with pytest.raises(ValueError, match=r"no learner 'c54'; did you mean 'c45'\?"):
        cw.compare("c54", blobs())


def test_tables_are_known_by_their_own_names_or_those_of_their_files(tmp_path):
    file = tmp_path / "weather.csv"
    file.write_text("wind,play\n1,no\n2,yes\n")
    found = tables_by_name([file, blobs()])
    assert list(found) == ["weather", "blobs"] and found["weather"].n_rows == 2
    assert list(tables_by_name({"other": str(file)})) == ["other"]


def test_what_is_no_table():
    with pytest.raises(ValueError, match="holds 'blobs' twice"):
        tables_by_name([blobs(), blobs(seed=1)])
    with pytest.raises(TypeError, match="tables must hold Tables, paths or names of data sets, got int"):
        tables_by_name([3])
    with pytest.raises(ValueError, match="at least one table"):
        tables_by_name([])
