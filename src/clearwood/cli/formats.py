"""The forms in which a tree can leave the program."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.cli.table_name import split_table
from clearwood.spelling import check_name

if TYPE_CHECKING:
    from clearwood.table import Table
    from clearwood.tree import Tree

__all__ = ["FORMATS", "format_of", "picture_of", "render"]


def _picture(tree: Tree, kind: str, rows: Table | None = None) -> str | bytes:
    if kind == "svg":
        return tree.to_svg(table=rows)
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")  # no window is wanted, and there may be no screen
    figure: Any = tree.plot(table=rows).figure
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, dpi=150)
    plt.close(figure)
    return buffer.getvalue()


def _page(tree: Tree) -> str:
    from clearwood.view.page.page import Page

    return Page(tree).to_html()


FORMATS: dict[str, Callable[[Tree], str | bytes]] = {
    "html": _page,
    "dot": lambda tree: tree.to_dot(),
    "json": lambda tree: tree.to_json(),
    "png": lambda tree: _picture(tree, "png"),
    "onnx": lambda tree: tree.to_onnx(),
    "pmml": lambda tree: tree.to_pmml(),
    "python": lambda tree: tree.to_python(),
    "javascript": lambda tree: tree.to_javascript(),
    "rules": lambda tree: str(tree.rules()),
    "pdf": lambda tree: _picture(tree, "pdf"),
    "svg": lambda tree: _picture(tree, "svg"),
    "text": lambda tree: tree.to_text(),
    "weka": lambda tree: tree.to_text(style="weka"),
}
PICTURES = ("svg", "png", "pdf")
SQL_OPTIONS = {"--only": "only", "--leaf": "leaf", "--nulls": "missing"}
_SUFFIXES = {".txt": "text", ".gv": "dot", ".py": "python", ".js": "javascript"}


def format_of(file: Path) -> str:
    """The format that a file's ending asks for."""
    ending = file.suffix.lower()
    kind = _SUFFIXES.get(ending, ending.removeprefix("."))
    if kind not in FORMATS and kind != "sql":
        raise ValueError(f"cannot tell the format from {str(file)!r}; say it with --format.")
    return kind


def picture_of(file: Path) -> str:
    """The same where only a picture will do."""
    kind = file.suffix.lower().removeprefix(".")
    if kind not in PICTURES:
        raise ValueError(
            f"--plot draws a picture, and {str(file)!r} does not end in .svg, .pdf or .png; 'clearwood export' writes "
            "all other forms."
        )
    return kind


def render(
    tree: Tree, kind: str, dialect: str = "postgres", table: str = "data", *, rows: str | None = None, **sql: Any
) -> str | bytes:
    """The tree in a format by name; ``rows`` name a table for pictures, all other options matter for SQL only."""
    check_name("format", kind, [*FORMATS, "sql"])
    if rows is not None and kind not in PICTURES:
        raise ValueError(f"--rows belongs to pictures ({', '.join(PICTURES)}); {kind} has no such option.")
    if kind == "sql":
        from clearwood.export.sql import FORMS
        from clearwood.learn.checks import check_choice

        if sql.get("missing") is not None:
            check_choice("--nulls", sql["missing"], FORMS)
        schema, name = split_table(table)
        try:
            return tree.to_sql(name, dialect, schema=schema, **sql)
        except ValueError as error:
            raise ValueError(str(error).replace("missing=", "nulls=")) from error  # as it is called here
    wrong = [option for option, name in SQL_OPTIONS.items() if sql.get(name) is not None]
    if wrong:
        raise ValueError(f"{' and '.join(wrong)} belongs to SQL; {kind} has no such option.")
    if rows is not None:
        from clearwood.read.given import read_table

        try:
            shown = read_table(rows, target=tree.target)
        except ValueError as error:
            said, _, columns = str(error).partition("has no such column")
            if not said.startswith("target names"):
                raise
            wanted = f"--rows {rows} has no column {tree.target!r}, the class that the tree predicts"
            raise ValueError(wanted + (columns or ".")) from None
        return _picture(tree, kind, shown)
    return FORMATS[kind](tree)
