"""Page scripts: what tests ask a page, in its own language.

``ANSWERS`` takes an entry of the front and further rows, ``SQL`` an entry and a dialect, the others an entry.
"""

__all__ = ["ANSWERS", "JSON", "PYTHON", "SQL"]

ANSWERS = """([entry, more]) => {
  const { model } = clearwood.app;
  const tree = model.tree(entry);
  const counted = model.counted(tree);
  const rows = Array.from({ length: model.rows.n }, (_, row) => row);
  return {
    predicted: [...counted.predicted],
    leaf: [...counted.leaf],
    probabilities: rows.map((row) => counted.router.probabilities((column) => model.rows.cells[column][row])),
    counts: [...counted.counts()],
    wrong: counted.wrong,
    leaves: tree.nLeaves,
    held: [...tree.counts],
    more: more.map((cells) => counted.router.predicted((column) => cells[column])),
  };
}"""
SQL = """([entry, dialect]) => {
  const { model } = clearwood.app;
  const writer = new clearwood.pieces.SqlWriter(model.columns, dialect);
  return writer.tree(model.tree(entry), model.document.classes, model.document.target);
}"""
PYTHON = """(entry) => {
  const { model } = clearwood.app;
  const { classes, target } = model.document;
  return clearwood.pieces.pythonFunction(model.tree(entry), model.columns, classes, target);
}"""
JSON = "(entry) => clearwood.pieces.treeJson(clearwood.app.model.tree(entry), clearwood.app.model.document)"
