/** Constraints: the edits as a small file that `clearwood fit --constraints` obeys. */

import type { Model } from "../model/model";
import { BRANCHES, LINEAR, SUBSET, type Test } from "../model/tree";
import { type Working, hasFixed } from "./working";

export interface ConstraintNode {
  forbid?: string[];
  leaf?: true;
  test?: Record<string, unknown>;
  branches?: Record<string, ConstraintNode>;
}

/** Names and values as the table has them, so that the file fits the table however its columns are ordered. */
export function constraints(model: Model, root: Working): string {
  const file = {
    format: "clearwood-constraints",
    version: 1,
    target: model.document.target,
    root: described(model, root),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** A node with all that is fixed at or below it: tests above a fixed place are fixed with it. */
function described(model: Model, node: Working): ConstraintNode {
  const found: ConstraintNode = {};
  if (node.forbidden.size) found.forbid = [...node.forbidden].sort((a, b) => a - b).map((c) => model.columns[c].name);
  if (node.stopped) found.leaf = true;
  const below = node.children.some(hasFixed);
  if (!node.test || !(node.pinned || below)) return found;
  found.test = testSpec(model, node.test, node.missing);
  const names = branchNames(model, node.test);
  node.children.forEach((child, i) => {
    const part = described(model, child);
    // without a prototype: a value may be called __proto__
    if (Object.keys(part).length)
      (found.branches ??= Object.create(null) as Record<string, ConstraintNode>)[names[i]] = part;
  });
  return found;
}

function branchNames(model: Model, test: Test): string[] {
  return test.kind === BRANCHES ? (model.columns[test.feature].values ?? []) : ["yes", "no"];
}

function testSpec(model: Model, test: Test, missing: number): Record<string, unknown> {
  const name = (column: number): string => model.columns[column].name;
  const end = missing < 0 ? {} : { missing: branchNames(model, test)[missing] };
  if (test.kind === LINEAR) {
    const weights = test.features.map((f, i) => {
      const code = test.codes[i];
      return code < 0 ? [name(f), test.weights[i]] : [name(f), test.weights[i], model.columns[f].values?.[code]];
    });
    return { weights, at_most: test.cut, ...end };
  }
  const declared = model.columns[test.feature].values ?? [];
  if (test.kind === BRANCHES) return { feature: name(test.feature), each: true, ...end };
  if (test.kind === SUBSET)
    return { feature: name(test.feature), values: test.inside.map((code) => declared[code]), ...end };
  return { feature: name(test.feature), at_most: test.cut, ...end };
}
