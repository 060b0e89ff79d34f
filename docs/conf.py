"""How the documentation is built."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from clearwood import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

os.environ.setdefault("MPLBACKEND", "Agg")

project = "Clearwood"
author = "the Clearwood developers"
copyright = f"2025, {author}"
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery/**/*.md5", "gallery/**/*.py", "gallery/**/*.ipynb"]
default_role = "code"
templates_path = ["_templates"]

autosummary_generate = True
autodoc_typehints = "none"  # types are written in the docstrings
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": str(Path(__file__).parent.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_",
    "within_subsection_order": "FileNameSortKey",
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "download_all_examples": False,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "image_srcset": ["2x"],
}

html_theme = "pydata_sphinx_theme"
html_title = "Clearwood"
html_static_path = ["_static"]
html_css_files = ["clearwood.css"]
html_show_sourcelink = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"install": [], "architecture": []}


def _skip(app: object, what: str, name: str, thing: object, skip: bool, options: object) -> bool | None:
    """scikit-learn gives estimators methods for metadata, whose texts point into its own documentation."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app: Sphinx) -> None:
    """Leave those methods out."""
    app.connect("autodoc-skip-member", _skip)
