/** Status: a tree in a sentence, and what it has that the one before had not. */

import { pathConditions } from "./model/conditions";
import type { Model } from "./model/model";
import type { Difference } from "./model/places";
import { BRANCHES, type Tree } from "./model/tree";
import { conditionWords, listed, plural } from "./model/wording";

export function firstWords(model: Model, tree: Tree): string {
  const names = tree.features().map((feature) => short(model.name(feature)));
  if (!names.length) return "One leaf: the same answer for every row.";
  return `${plural(tree.nLeaves, "leaf", "leaves")}; the tests ask for ${listed(names, 4, "and")}.`;
}

/** A long name by its beginning and its end. */
function short(name: string): string {
  const letters = [...name];
  return letters.length <= 36
    ? name
    : `${letters.slice(0, 22).join("").trimEnd()}…${letters.slice(-12).join("").trimStart()}`;
}

/** From one tree to another, in words. */
export function differenceWords(model: Model, before: Tree, tree: Tree, { kept, added, lost }: Difference): string {
  if (!added.length && !lost.length) return "The same tests.";
  const parts: string[] = [];
  if (added.length === 1) parts.push(`adds ${testWords(model, tree, added[0])}${where(model, tree, added[0])}`);
  else if (added.length) parts.push(plural(added.length, "new split"));
  if (lost.length === 1) parts.push(`gives up ${testWords(model, before, lost[0])}`);
  else if (lost.length) parts.push(`gives up ${plural(lost.length, "split")}`);
  const stays = `${kept.size ? plural(kept.size, "split") : "no split"} stay${kept.size > 1 ? "" : "s"}`;
  return `From ${before.nLeaves} to ${plural(tree.nLeaves, "leaf", "leaves")}: ${parts.join(", ")}; ${stays}.`;
}

function testWords(model: Model, tree: Tree, node: number): string {
  const test = tree.tests[node]!;
  if (test.kind === BRANCHES) return model.name(test.feature);
  const values = test.inside.length ? test.inside : null;
  return conditionWords({ test, lower: -Infinity, upper: test.cut, values, missing: null }, model.columns, 3);
}

function where(model: Model, tree: Tree, node: number): string {
  const above = pathConditions(tree, node, model.columns);
  return above.length ? ` where ${conditionWords(above[above.length - 1], model.columns, 3)}` : "";
}
