"""Trees that obey a person's demands, and are a learner's where they leave it free."""

from clearwood.learn.constrained.classifier import ConstrainedClassifier
from clearwood.learn.constrained.fit import fit_constrained
from clearwood.learn.constrained.front import constrained_front

__all__ = ["ConstrainedClassifier", "constrained_front", "fit_constrained"]
