"""Registry: learners from what people call them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

__all__ = ["LEARNERS", "make_learner"]

LEARNERS: dict[str, str] = {
    "bagging": "clearwood.learn.bagging:BaggedTreesClassifier",
    "c45": "clearwood.learn.c45:C45Classifier",
    "cart": "clearwood.learn.cart:CARTClassifier",
    "cmm": "clearwood.learn.cmm:CMMClassifier",
    "distilled": "clearwood.learn.distilled.classifier:DistilledTreeClassifier",
    "forest": "clearwood.learn.forest:ForestClassifier",
    "id3": "clearwood.learn.id3:ID3Classifier",
    "ism": "clearwood.learn.ism:ISMClassifier",
    "linear": "clearwood.evolve.linear.classifier:LinearTreeClassifier",
    "oc1": "clearwood.learn.oc1:OC1Classifier",
    "pareto": "clearwood.evolve.pareto.classifier:ParetoTreeClassifier",
    "setgen": "clearwood.evolve.setgen.classifier:SetGenClassifier",
}

_MODELS = ("ensemble", "estimator", "teacher")  # parameters of our learners that no text can give
_VERBS = ("fit", "predict", "get_params")  # what makes an object a classifier in scikit-learn's sense


def make_learner(text: str, settings: Iterable[str] | None = None, **common: Any) -> Any:
    """A learner from its name, as typed on the command line or passed to a study.

    Parameters
    ----------
    text : str
        ``c45``, ``c45:confidence=0.1,min_leaf=5``, or ``module:Class`` and ``module:Class:key=value`` for a classifier
        of another library.
    settings : texts or None
        More of the form ``key=value``, as in ``--option min_leaf=5``; they win over those in ``text``.
    **common
        Parameters that apply where the learner has them and neither text sets them.

    Examples
    --------
    >>> make_learner("c45:confidence=0.1", ["min_leaf=5"])
    C45Classifier(confidence=0.1, min_leaf=5)
    >>> make_learner("sklearn.tree:DecisionTreeClassifier:max_depth=3", random_state=0, n_jobs=1)
    DecisionTreeClassifier(max_depth=3, random_state=0)
    """
    from clearwood.learn.settings import parse_settings
    from clearwood.spelling import check_name

    name, cls, options = _split(text)
    made = cls()
    known = made.get_params()
    chosen = parse_settings([*([options] if options.strip() else []), *(settings or ())])
    models = [key for key in _MODELS if key in known and name in LEARNERS]
    for key, value in chosen.items():
        if key not in models:
            check_name(f"option of {name}", key, [other for other in known if other not in models])
        elif value is not None:
            raise ValueError(
                f"{key} must be a learner or a model and cannot be typed, got {value!r}; leave it out, or pass it in "
                f"Python: {cls.__name__}({key}=...)."
            )
    made.set_params(**{key: value for key, value in common.items() if key in known} | chosen)
    if hasattr(made, "_check_parameters"):
        try:
            made._check_parameters()  # fit does so too, but only after the data has been read
        except TypeError as error:
            raise ValueError(str(error)) from error
    return made


def _split(text: str) -> tuple[str, Any, str]:
    """The learner's name, its class, and its options as they are typed."""
    from clearwood.spelling import no_such

    name, _, rest = text.partition(":")
    if name in LEARNERS:
        return name, _class(text, *LEARNERS[name].split(":")), rest
    class_name, _, options = rest.partition(":")
    if not class_name or "=" in class_name:
        raise ValueError(no_such("learner", name, LEARNERS, "or module:Class for a classifier of another library"))
    return f"{name}:{class_name}", _class(text, name, class_name), options


def _class(text: str, module: str, name: str) -> Any:
    from clearwood.spelling import no_such

    try:
        home = import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError(f"learner {text!r}: no module {error.name!r} is installed; see how it is spelt.") from None
    found = getattr(home, name, None)
    if not isinstance(found, type) or not all(hasattr(found, verb) for verb in _VERBS):
        classes = [key for key, value in vars(home).items() if isinstance(value, type) and hasattr(value, "predict")]
        raise ValueError(f"learner {text!r}: {no_such(f'classifier in {module}', name, classes)}")
    return found
