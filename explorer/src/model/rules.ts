/** Rules: one for each leaf that holds training rows, conditions merged. */

import { type Condition, merged, pathConditions } from "./conditions";
import type { ColumnSpec } from "./document";
import { type Tree, sum, tested } from "./tree";

export interface Rule {
  leaf: number;
  conditions: Condition[];
  code: number;
  support: number;
  share: number;
  confidence: number;
  features: Set<number>;
}

export function rules(tree: Tree, columns: readonly ColumnSpec[]): Rule[] {
  const total = tree.weight(0);
  const found: Rule[] = [];
  for (const leaf of tree.walk()) {
    if (!tree.isLeaf(leaf) || tree.empty[leaf] || tree.weight(leaf) <= 0) continue;
    const conditions = merged(pathConditions(tree, leaf, columns), columns);
    const held = tree.weightsOf(leaf);
    const code = tree.classOf(leaf);
    const support = sum(held);
    found.push({
      leaf,
      conditions,
      code,
      support,
      share: support / total,
      confidence: held[code] / support,
      features: new Set(conditions.flatMap((one) => [...tested(one.test)])),
    });
  }
  return found;
}

export type RuleOrder = "support" | "confidence" | "class" | "tree";

export function sorted(list: readonly Rule[], order: RuleOrder): Rule[] {
  const copy = [...list];
  if (order === "support") copy.sort((a, b) => b.support - a.support || b.confidence - a.confidence || a.leaf - b.leaf);
  if (order === "confidence")
    copy.sort((a, b) => b.confidence - a.confidence || b.support - a.support || a.leaf - b.leaf);
  if (order === "class") copy.sort((a, b) => a.code - b.code || b.support - a.support || a.leaf - b.leaf);
  return copy;
}
