"""Widget: the page inside a notebook, through anywidget."""

from __future__ import annotations

from functools import cache
from typing import Any

from clearwood.view.page.html import bundle

__all__ = ["has_anywidget", "make_widget"]

# the bundle is a script that names clearwoodExplorer; as a module it only has to hand over its render function
_MODULE = """
export default {
  render({ model, el }) {
    const host = document.createElement("div");
    el.append(host);
    clearwoodExplorer.mount(host, model.get("document"), { address: false });
  },
};
"""


def has_anywidget() -> bool:
    """Whether anywidget is installed."""
    from importlib.util import find_spec

    return find_spec("anywidget") is not None


def make_widget(document: dict[str, Any]) -> Any:
    """A view of the document that notebooks show."""
    return _kind()(document=document)


@cache
def _kind() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise ImportError("the view needs anywidget; install it with: pip install 'clearwood[notebook]'") from None

    class Explorer(anywidget.AnyWidget):
        """The page's bundle as a module, and the document as a value that the kernel sends."""

        _esm = bundle("explorer.js") + _MODULE
        _css = bundle("explorer.css")
        document = traitlets.Dict().tag(sync=True)

    return Explorer
