"""Colours: one for each class, told apart by colour-blind readers too, and ink that can be read on them."""

from __future__ import annotations

import colorsys

__all__ = ["class_colours", "contrast", "ink", "tint"]

# The first seven are the set of Okabe and Ito (2008) without black, which is kept for ink; grey stands in for it.
# The rest were picked one by one, each the colour farthest (OKLab) from all before it in the eyes of normal,
# protanopic and deuteranopic readers (Machado 2009), neither pale nor neon. The nearest pair is 0.064 apart.
_COLOURS = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#595959",
    "#5AF0D2", "#5A1E78", "#78000F", "#87C387", "#963C00", "#6987E1", "#96D2FF", "#3C4BA5",
    "#F0D296", "#964B87", "#5A785A", "#00D2C3", "#5A2D4B", "#B4D25A", "#D2873C", "#00A5C3",
    "#4B0F4B", "#6969F0",
)  # fmt: skip


def class_colours(n_classes: int) -> list[str]:
    """A colour for each class, no two the same; after 26 classes they are harder to tell apart.

    >>> class_colours(2)
    ['#0072B2', '#E69F00']
    >>> len(set(class_colours(500)))
    500
    """
    return [_COLOURS[i] if i < len(_COLOURS) else _further(i - len(_COLOURS)) for i in range(n_classes)]


def _further(place: int) -> str:
    """One more colour: hues a golden angle apart, in turns of four shades, each round a little lighter or darker."""
    hue = (0.11 + place * 0.6180339887498949) % 1
    light = (0.32, 0.62, 0.46, 0.74)[place % 4] + 0.013 * ((place // 4) % 7 - 3)
    parts = colorsys.hls_to_rgb(hue, light, 0.55 + 0.05 * (place // 28 % 6))
    return "#{:02X}{:02X}{:02X}".format(*(round(255 * part) for part in parts))


def tint(colour: str, strength: float) -> str:
    """The colour laid thinly on white paper: strength 1 is the colour, 0 is white.

    >>> tint("#0072B2", 1.0), tint("#0072B2", 0.0)
    ('#0072B2', '#FFFFFF')
    """
    parts = [round(255 + (part - 255) * strength) for part in _parts(colour)]
    return "#{:02X}{:02X}{:02X}".format(*parts)


def ink(paper: str) -> str:
    """Black or white, whichever reads better on the paper.

    >>> ink("#F0E442"), ink("#5A1E78")
    ('#000000', '#FFFFFF')
    """
    return "#000000" if contrast(paper, "#000000") >= contrast(paper, "#FFFFFF") else "#FFFFFF"


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it, from 1 to 21; text asks for 4.5.

    >>> round(contrast("#000000", "#FFFFFF"), 1)
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _parts(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _luminance(colour: str) -> float:
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (p / 255 for p in _parts(colour))]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
