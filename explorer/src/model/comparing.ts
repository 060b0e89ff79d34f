/** Comparing: where two trees give different answers, as rules. */

import { type Condition, isEmpty, merged, pathConditions } from "./conditions";
import type { Model } from "./model";
import type { Tree } from "./tree";

export interface Disagreement {
  /** The leaves that the rows come to in the two trees; -1 where a row is shared out over several. */
  leaves: [number, number];
  answers: [number, number];
  conditions: Condition[];
  rows: number[];
  weight: number;
  /** The weight of the rows for which each tree is right. */
  right: [number, number];
}

export interface Comparison {
  weight: number;
  differing: number;
  right: [number, number];
  list: Disagreement[];
}

/** The rows of the page on which two trees disagree, by the pair of leaves that they come to, most rows first. */
export function compare(model: Model, first: Tree, second: Tree): Comparison | null {
  const one = model.counted(first);
  const other = model.counted(second);
  if (!one || !other || !model.rows) return null;
  const { rows } = model;
  const found = new Map<string, Disagreement>();
  const right: [number, number] = [0, 0];
  let differing = 0;
  for (let row = 0; row < rows.n; row++) {
    const answers: [number, number] = [one.predicted[row], other.predicted[row]];
    if (answers[0] === answers[1]) continue;
    const weight = rows.weights[row];
    differing += weight;
    const leaves: [number, number] = [one.leaf[row], other.leaf[row]];
    const key = leaves.includes(-1) ? `shared ${answers.join()}` : leaves.join();
    let group = found.get(key);
    if (!group) {
      const conditions = leaves.includes(-1)
        ? []
        : merged(
            [...pathConditions(first, leaves[0], model.columns), ...pathConditions(second, leaves[1], model.columns)],
            model.columns,
          );
      group = { leaves, answers, conditions, rows: [], weight: 0, right: [0, 0] };
      found.set(key, group);
    }
    group.rows.push(row);
    group.weight += weight;
    for (const side of [0, 1] as const) {
      if (rows.y[row] === answers[side]) {
        group.right[side] += weight;
        right[side] += weight;
      }
    }
  }
  const list = [...found.values()].sort((a, b) => b.weight - a.weight || a.leaves[0] - b.leaves[0]);
  return { weight: rows.totalWeight, differing, right, list };
}

/** Without rows: the pairs of leaves with different answers that some row could come to, at most `most`. */
export function possible(model: Model, first: Tree, second: Tree, most = 40): Disagreement[] {
  const found: Disagreement[] = [];
  const leaves = (tree: Tree): number[] => tree.walk().filter((node) => tree.isLeaf(node) && !tree.empty[node]);
  for (const a of leaves(first)) {
    for (const b of leaves(second)) {
      const answers: [number, number] = [first.classOf(a), second.classOf(b)];
      if (answers[0] === answers[1]) continue;
      const conditions = merged(
        [...pathConditions(first, a, model.columns), ...pathConditions(second, b, model.columns)],
        model.columns,
      );
      if (conditions.some(isEmpty)) continue;
      found.push({ leaves: [a, b], answers, conditions, rows: [], weight: 0, right: [0, 0] });
      if (found.length >= most) return found;
    }
  }
  return found;
}
