"""Colours are told apart by normal and colour-blind eyes, and text on them can be read."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from clearwood.view.colours import class_colours, contrast, ink, tint

# linear RGB as a reader without long-wave or middle-wave cones sees it (Machado, Oliveira and Fernandes 2009)
EYES = {
    "normal": np.eye(3),
    "protanopic": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopic": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


def lightness_and_hue(colour: str, eye: np.ndarray) -> np.ndarray:
    """The colour in CIELAB (D65) after passing through an eye."""
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(eye @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ seen / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(("n_classes", "least"), [(3, 30), (6, 14), (8, 12), (26, 6)])
def test_any_two_class_colours_differ_for_every_eye(eye: str, n_classes: int, least: float) -> None:
    seen = [lightness_and_hue(colour, EYES[eye]) for colour in class_colours(n_classes)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) >= least


def test_colours_never_repeat() -> None:
    assert len(set(class_colours(400))) == 400
    assert class_colours(30)[:26] == class_colours(26)


@pytest.mark.parametrize("strength", [0.0, 0.12, 0.55, 1.0])
def test_ink_is_readable_on_every_tint(strength: float) -> None:
    for colour in class_colours(26):
        paper = tint(colour, strength)
        assert contrast(paper, ink(paper)) >= 4.5
