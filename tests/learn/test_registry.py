import pytest

import clearwood as cw
from clearwood.cli.options import Learner
from clearwood.learn.registry import LEARNERS, make_learner


def test_what_is_typed_after_the_name_and_as_an_option_means_the_same():
    typed = make_learner("c45:confidence=0.1,min_leaf=5")
    assert repr(typed) == repr(make_learner("c45", ["confidence=0.1", "min_leaf=5"]))
    assert repr(typed) == repr(make_learner("c45:min_leaf=5", ["confidence=0.1"]))
    assert repr(typed) == repr(cw.C45Classifier(confidence=0.1, min_leaf=5))


def test_options_win_over_the_name_and_both_over_common_parameters():
    made = make_learner("c45:min_leaf=7,confidence=0.2", ["confidence=0.1"], min_leaf=3, confidence=0.3, laplace=True)
    assert (made.min_leaf, made.confidence, made.laplace) == (7, 0.1, True)
    assert make_learner("c45", no_such_parameter=1).min_leaf == 2


def test_a_model_may_be_left_out():
    assert make_learner("ism:ensemble=none").ensemble is None
    assert repr(make_learner("sklearn.ensemble:BaggingClassifier:estimator=x")).endswith("(estimator='x')")


def test_a_classifier_of_another_library():
    made = make_learner("sklearn.tree:DecisionTreeClassifier:max_depth=3", ["criterion=entropy"], random_state=0)
    assert repr(made) == "DecisionTreeClassifier(criterion='entropy', max_depth=3, random_state=0)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c54", r"no learner 'c54'; did you mean 'c45'\? There are: bagging, c45, cart, .*module:Class"),
        ("c54:min_leaf=5", r"no learner 'c54'; did you mean 'c45'\?"),
        ("c45:confidense=0.1", r"no option of c45 'confidense'; did you mean 'confidence'\?"),
        ("c45:confidence", "an option must have the form KEY=VALUE, got 'confidence'"),
        ("c45:confidence=2", "confidence must be"),
        ("c45:prune=maybe", "prune must be True or False, got 'maybe'"),
        (
            "ism:ensemble=forest",
            r"ensemble must be a learner or a model and cannot be typed, got 'forest'; .*Python: ISM",
        ),
        ("cmm:ensemble=[1,2]", r"ensemble must be .* got \[1, 2\]"),
        ("distilled:teacher=forest", "teacher must be .* got 'forest'"),
        ("bagging:estimator=cart", "estimator must be .* got 'cart'"),
        (
            "ism:ensembel=1",
            "no option of ism 'ensembel'; there are: class_weight, confidence, criterion, estimate, gain,",
        ),
        ("setgen:groups=5", "groups must be lists of features"),
        ("setgen:groups=[1]", "groups must hold lists of features, got 1"),
        ("setgen:feature_costs=5", "feature_costs must be a mapping"),
        ("sklearn.tree:DecisionTreeClassifer", r"did you mean 'DecisionTreeClassifier'\?"),
        ("sklearn.treee:DecisionTreeClassifier", "no module 'sklearn.treee'"),
        ("sklearn.tree:export_text", "no classifier in sklearn.tree 'export_text'"),
        ("sklearn.tree:DecisionTreeClassifier:deep=1", "no option of sklearn.tree:DecisionTreeClassifier 'deep'"),
    ],
)
def test_a_mistake_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        make_learner(text)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_is_made_and_is_public(name):
    made = make_learner(name)
    assert getattr(cw, type(made).__name__) is type(made)


def test_the_help_names_every_learner():
    assert all(name in Learner.__metadata__[0].help for name in LEARNERS)
