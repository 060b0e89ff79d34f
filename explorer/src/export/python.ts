/** Python: a rule as an expression, a tree as a function without dependencies. */

import { type Condition, merged, pathConditions } from "../model/conditions";
import type { ColumnSpec, Label } from "../model/document";
import type { Tree } from "../model/tree";

export function pythonLiteral(value: Label): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  // JSON's escapes are Python's too
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function conditionSource(one: Condition, columns: readonly ColumnSpec[]): string {
  const { test } = one;
  const cell = (column: number): string => `row[${pythonLiteral(columns[column].name)}]`;
  const subject = test.features.length
    ? test.features.map((f, i) => `${test.weights[i]} * ${cell(f)}`).join(" + ")
    : cell(test.feature);
  const gap = (test.features.length ? test.features : [test.feature]).map((f) => `${cell(f)} is None`).join(" or ");
  const text = asked(one, subject, columns);
  if (one.missing === true) return text ? `(${gap} or ${text})` : gap;
  return text;
}

function asked(one: Condition, subject: string, columns: readonly ColumnSpec[]): string {
  if (one.values) {
    const declared = columns[one.test.feature].values ?? [];
    if (!one.values.length) return one.missing ? "" : "False";
    if (one.values.length === declared.length) return `${subject} is not None`;
    const names = one.values.map((code) => pythonLiteral(declared[code]));
    return names.length === 1 ? `${subject} == ${names[0]}` : `${subject} in (${names.join(", ")})`;
  }
  const lower = one.lower > -Infinity ? `${one.lower} < ` : "";
  const upper = one.upper < Infinity ? ` <= ${one.upper}` : "";
  return lower + subject + upper;
}

/** All conditions together, as an expression on `row`. */
export function pythonWhere(conditions: readonly Condition[], columns: readonly ColumnSpec[]): string {
  return conditions.map((one) => conditionSource(one, columns)).join(" and ") || "True";
}

/** The whole tree: one `if` for each leaf, in reading order. */
export function pythonFunction(tree: Tree, columns: readonly ColumnSpec[], classes: readonly Label[], target: string): string {
  const about = `The class of a row, a mapping from column names to values: ${target}.`.replaceAll('"', "'");
  const lines = ["def predict(row):", `    """${about.replaceAll("\\", "\\\\").replace(/\s+/g, " ")}"""`];
  for (const leaf of tree.walk().filter((node) => tree.isLeaf(node))) {
    const conditions = merged(pathConditions(tree, leaf, columns), columns);
    const answer = `return ${pythonLiteral(classes[tree.classOf(leaf)])}`;
    if (conditions.length) lines.push(`    if ${pythonWhere(conditions, columns)}:`, `        ${answer}`);
    else lines.push(`    ${answer}`);
  }
  if (tree.nNodes > 1) lines.push('    raise ValueError("a tested value is missing, or not one that the tree knows")');
  return `${lines.join("\n")}\n`;
}
