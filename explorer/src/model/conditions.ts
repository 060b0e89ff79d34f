/** Conditions: what a row must be to take a branch, and what several of them together demand. */

import type { ColumnSpec } from "./document";
import { BRANCHES, LINEAR, SUBSET, type Test, type Tree } from "./tree";

/** `lower < x ≤ upper`, or x among `values`; `missing`: passes, does not, or (null) passes with a share. */
export interface Condition {
  test: Test;
  lower: number;
  upper: number;
  values: readonly number[] | null;
  missing: boolean | null;
}

export function condition(test: Test, branch: number, missing: number, columns: readonly ColumnSpec[]): Condition {
  const base = {
    test,
    lower: -Infinity,
    upper: Infinity,
    values: null,
    missing: missing < 0 ? null : missing === branch,
  };
  if (test.kind === BRANCHES) return { ...base, values: [branch] };
  if (test.kind === SUBSET) {
    const declared = columns[test.feature].values ?? [];
    const codes = declared.map((_, code) => code);
    return { ...base, values: codes.filter((code) => test.inside.includes(code) === (branch === 0)) };
  }
  return branch === 0 ? { ...base, upper: test.cut } : { ...base, lower: test.cut };
}

/** What the condition is about; conditions on the same subject can be merged. */
function subject({ test }: Condition): string {
  if (test.kind !== LINEAR) return String(test.feature);
  return `${test.features.join()}:${test.weights.join()}:${test.codes.join()}`;
}

function both(one: Condition, other: Condition): Condition {
  const values = one.values && other.values ? one.values.filter((code) => other.values?.includes(code)) : null;
  const ways = [one.missing, other.missing];
  return {
    test: other.test,
    lower: Math.max(one.lower, other.lower),
    upper: Math.min(one.upper, other.upper),
    values,
    missing: ways.includes(false) ? false : ways.includes(null) ? null : true,
  };
}

/** The levels that an interval holds. */
export function levelsBetween(levels: readonly string[], { lower, upper }: Condition): string[] {
  return levels.filter((_, place) => place > lower && place <= upper);
}

export function isEmpty(condition: Condition): boolean {
  return condition.values ? condition.values.length === 0 : condition.lower >= condition.upper;
}

/** Whether it excludes nothing: every declared value passes, and a missing one is not turned away. */
function isVoid(condition: Condition, columns: readonly ColumnSpec[]): boolean {
  const declared = columns[condition.test.feature]?.values?.length;
  return condition.missing !== false && condition.values !== null && condition.values.length === declared;
}

/** At most one condition for each subject, in the order in which they are first met. */
export function merged(conditions: readonly Condition[], columns: readonly ColumnSpec[]): Condition[] {
  const found = new Map<string, Condition>();
  for (const next of conditions) {
    const key = subject(next);
    const old = found.get(key);
    found.set(key, old ? both(old, next) : next);
  }
  return [...found.values()].filter((one) => !isVoid(one, columns));
}

/** The condition by which a node is reached from its parent. */
export function wayInto(tree: Tree, node: number, columns: readonly ColumnSpec[]): Condition {
  const parent = tree.parent[node];
  return condition(tree.tests[parent] as Test, tree.branch(node), tree.missing[parent], columns);
}

/** The conditions from the root to a node, in order and unmerged. */
export function pathConditions(tree: Tree, node: number, columns: readonly ColumnSpec[]): Condition[] {
  return tree
    .path(node)
    .slice(1)
    .map((at) => wayInto(tree, at, columns));
}
