/** Report panel: how it was made, every tree with its errors, and files to take along. */

import type { Context, Panel } from "../context";
import { fill, h } from "../dom";
import { drawingText, toPng } from "../export/picture";
import { pythonFunction } from "../export/python";
import { DIALECTS, SqlWriter } from "../export/sql";
import { treeJson } from "../export/treeJson";
import { points } from "../model/wording";
import { button, choice, download, fileStem, table } from "../widgets";

const MOST_ENTRIES = 60;

export function reportPanel(context: Context): Panel {
  const { model, store } = context;
  let dialect = "postgres";
  const element = h("div", { class: "cw-panel" });

  const files = (): HTMLElement => {
    const stem = `${fileStem(model.document.title)}-${context.tree().nLeaves}`;
    const tree = context.tree();
    return h(
      "section",
      null,
      h("h3", null, "Take this tree along"),
      h(
        "div",
        { class: "cw-controls" },
        button("JSON", () => download(`${stem}.json`, treeJson(tree, model.document), "application/json"), {
          title: "For Tree.from_json and the command line",
        }),
        button("Python", () =>
          download(
            `${stem}.py`,
            pythonFunction(tree, model.columns, model.document.classes, model.document.target),
            "text/x-python",
          ),
        ),
        button("SVG", () => download(`${stem}.svg`, drawingText(context.drawing()), "image/svg+xml")),
        button("PNG", () => void toPng(context.drawing()).then((blob) => download(`${stem}.png`, blob))),
        button("Print", () => window.print()),
      ),
      h(
        "div",
        { class: "cw-controls" },
        button("SQL", () =>
          download(
            `${stem}.sql`,
            new SqlWriter(model.columns, dialect).tree(tree, model.document.classes, model.document.target),
            "application/sql",
          ),
        ),
        choice(
          "SQL dialect",
          Object.entries(DIALECTS).map(([key, { name }]) => [key, name] as const),
          dialect,
          (value) => (dialect = value),
        ),
      ),
    );
  };

  const entries = (): HTMLElement => {
    const shown = model.entries.slice(0, MOST_ENTRIES);
    const rows = shown.map((entry) => [
      button(`${entry.leaves}`, () => store.set({ entry: entry.index, node: -1 }), {
        class: "cw-button cw-plain",
        "aria-label": `Show the tree with ${entry.leaves} leaves, ${entry.learner}`,
      }),
      entry.learner + (entry.index === model.document.chosen ? " (chosen)" : ""),
      entry.cvError === null ? "" : points(entry.cvError),
      entry.cvLow === null || entry.cvHigh === null ? "" : `${points(entry.cvLow)} to ${points(entry.cvHigh)}`,
      points(entry.trainingError),
    ]);
    return h(
      "section",
      null,
      h("h3", null, model.entries.length > 1 ? "All trees" : "The tree"),
      table(
        ["leaves", "from", "cross-validated error", "95 % interval", "training error"],
        rows,
        "All trees with their errors",
      ),
      model.entries.length > MOST_ENTRIES &&
        h("p", { class: "cw-faint" }, `The first ${MOST_ENTRIES} of ${model.entries.length}.`),
    );
  };

  const draw = (): void => {
    const facts = model.document.facts;
    fill(
      element,
      files(),
      facts.length > 0 &&
        h(
          "section",
          null,
          h("h3", null, "How it was made"),
          h(
            "dl",
            { class: "cw-facts" },
            facts.flatMap(([name, text]) => [h("dt", null, name), h("dd", null, text)]),
          ),
        ),
      entries(),
    );
  };
  return { element, update: draw };
}
