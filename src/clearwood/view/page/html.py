"""HTML: a document and the bundle as one file that loads nothing and runs nothing else."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

__all__ = ["bundle", "to_html"]


@cache
def bundle(name: str) -> str:
    """A file of the bundle: ``explorer.js`` or ``explorer.css``."""
    return (files("clearwood.view.page") / "bundle" / name).read_text(encoding="utf-8")


def to_html(document: dict[str, Any], summary: str = "") -> str:
    """A whole page.

    The document is JSON, gzipped and written in base64, so no name in it can be taken for markup. The page's policy
    allows this one script and this one style sheet, by their hashes, and no address at all.

    Parameters
    ----------
    document : dict
        What :func:`~clearwood.view.page.document.build_document` gives.
    summary : str
        Plain text for readers whose program runs no scripts.

    Returns
    -------
    str
    """
    script, style = bundle("explorer.js"), bundle("explorer.css")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="generator" content="Clearwood">\n'
        f"<title>{escape(document['title'])}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="clearwood"></div>\n<noscript><pre>{escape(summary)}</pre></noscript>\n'
        f'<script type="application/gzip" id="clearwood-document">{packed(document)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def packed(document: dict[str, Any]) -> str:
    """JSON, gzipped, in base64; the same document gives the same text."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)).decode("ascii")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
