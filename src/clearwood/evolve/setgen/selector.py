"""SetGenSelector: the features that SET-GEN chooses, for any model that comes after."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from clearwood.evolve.setgen.classifier import SetGenClassifier, SetGenSettings
from clearwood.read.frames import to_frame
from clearwood.table import Table

__all__ = ["SetGenSelector"]


class SetGenSelector(SelectorMixin, SetGenSettings):
    """Chooses features by SET-GEN's search; put it in front of any scikit-learn model.

    It takes the parameters of :class:`SetGenClassifier`. A frame is transformed into a frame of the same kind, a
    Table into a Table, an array into an array.

    Attributes
    ----------
    classifier_ : SetGenClassifier
        The fitted search, with its tree, history and the frequency of the features.
    features_ : tuple of str
        The chosen features.
    n_features_in_, feature_names_in_

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from clearwood import SetGenSelector
    >>> wine = load_wine(as_frame=True)
    >>> chosen = SetGenSelector(evaluations=300, random_state=0).fit(wine.data, wine.target)
    >>> chosen.transform(wine.data).columns.tolist() == list(chosen.features_)
    True
    >>> model = make_pipeline(chosen, LogisticRegression(max_iter=10_000)).fit(wine.data, wine.target)
    >>> bool(model.score(wine.data, wine.target) > 0.9)
    True
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Search for the features; X, y and sample_weight are what the learners take."""
        classifier = SetGenClassifier(**self.get_params(deep=False))
        self.classifier_ = classifier.fit(X, y, sample_weight)
        self.n_features_in_ = classifier.n_features_in_
        if hasattr(classifier, "feature_names_in_"):
            self.feature_names_in_ = classifier.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.features_ = classifier.features_
        return self

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        names = self.classifier_.feature_frequency_
        return np.array([name in self.features_ for name in names])

    def transform(self, X: Any) -> Any:
        """X with the chosen features only."""
        check_is_fitted(self)
        if isinstance(X, Table):
            return X.select(self.features_)
        frame = to_frame(X)
        if frame is not None:
            import narwhals as nw

            validate_data(self, X=frame, skip_check_array=True, reset=False)
            return nw.from_native(frame)[list(self.features_)].to_native()
        return super().transform(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags
