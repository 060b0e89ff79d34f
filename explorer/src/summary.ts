/** Summary: what a first look should tell: how good, how large, against what. */

import type { Context } from "./context";
import { fill, h } from "./dom";
import { count, plural, points } from "./model/wording";
import { chip } from "./widgets";

function tile(name: string, figure: string, more: string): HTMLElement {
  return h(
    "div",
    { class: "cw-tile" },
    h("span", { class: "cw-tile-name" }, name),
    h("span", { class: "cw-tile-figure" }, figure),
    h("span", { class: "cw-tile-more" }, more),
  );
}

export function drawSummary(context: Context, element: HTMLElement): void {
  const { model, store } = context;
  const tree = context.tree();
  const entry = model.entries[store.state.entry];
  const tiles: HTMLElement[] = [];
  if (entry && entry.cvError !== null) {
    const range =
      entry.cvLow === null || entry.cvHigh === null
        ? "cross-validated"
        : `${(100 * (1 - entry.cvHigh)).toFixed(1)} to ${points(1 - entry.cvLow)}`;
    tiles.push(tile("right on unseen rows", points(1 - entry.cvError), range));
  } else {
    const wrong = entry ? entry.trainingError : context.steered().tree.leafErrors() / Math.max(tree.weight(0), 1e-9);
    tiles.push(
      tile("right on training rows", points(1 - wrong), entry ? "not cross-validated" : "edited: fit it again"),
    );
  }
  const used = tree.features().length;
  tiles.push(
    tile(
      tree.nLeaves === 1 ? "rule" : "rules",
      count(tree.nLeaves),
      `${used} of ${plural(model.columns.length, "feature")}`,
    ),
  );
  const counts = tree.weightsOf(0);
  const total = tree.weight(0);
  const most = counts.indexOf(Math.max(...counts));
  for (const reference of model.document.references.slice(0, 1))
    tiles.push(tile(reference.name, points(1 - reference.error), "which nobody can read"));
  tiles.push(
    tile(
      `always saying ${model.classes[most]}`,
      points(total > 0 ? counts[most] / total : 0),
      "the most frequent class",
    ),
  );
  fill(element, tiles);
}

/** Why the chosen tree was chosen: the first line, and the others on request. */
export function drawReason(reason: string, element: HTMLElement): void {
  const [first, ...more] = reason.split("\n").filter(Boolean);
  if (!first) return;
  const rest = h(
    "details",
    null,
    h("summary", null, "What more or fewer rules would give"),
    more.map((line) => h("p", null, line)),
  );
  fill(element, h("h2", null, "Why this one"), h("p", null, first), more.length > 0 && rest);
}

/** The classes with their colours; beyond a dozen only those that the tree predicts. */
export function drawLegend(context: Context, element: HTMLElement): void {
  const { model, store } = context;
  const tree = context.tree();
  let codes = model.classes.map((_, k) => k);
  if (codes.length > 12) {
    const said = new Set<number>();
    for (let node = 0; node < tree.nNodes; node++) if (tree.isLeaf(node)) said.add(tree.classOf(node));
    codes = codes.filter((k) => said.has(k));
  }
  const stable = model.stability(store.state.entry);
  fill(
    element,
    h("span", { class: "cw-faint" }, `${model.target}:`),
    codes.map((k) => chip(model, k)),
    stable &&
      h("p", { class: "cw-faint" }, `% and bar in a test: how often the split returns in ${stable.trees} resamples`),
  );
}
