/** Python: a rule as an expression, a tree as a function without dependencies. */

import { type Condition, levelsBetween, merged, pathConditions, wayInto } from "../model/conditions";
import type { ColumnSpec, Label } from "../model/document";
import { LINEAR, THRESHOLD, type Tree, summedNumbers } from "../model/tree";
import { moment } from "../model/wording";

export function pythonLiteral(value: Label): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  // JSON's escapes are Python's too
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function conditionSource(one: Condition, columns: readonly ColumnSpec[]): string {
  const { test } = one;
  const cell = (column: number): string => `row[${pythonLiteral(columns[column].name)}]`;
  const amount = (column: number): string => {
    const { levels, date } = columns[column];
    if (levels) return `(${levels.map(pythonLiteral).join(", ")},).index(${cell(column)})`;
    return date === undefined ? cell(column) : `(${cell(column)} - ${datetime(0)}).total_seconds() * 1000`;
  };
  // whether a cell is a value counts as 1 or 0, so that a missing one is none of the values
  const summand = (column: number, code: number): string =>
    code < 0 ? amount(column) : `(${cell(column)} == ${pythonLiteral(columns[column].values?.[code] ?? "")})`;
  const subject = test.features.length
    ? test.features.map((f, i) => `${test.weights[i]} * ${summand(f, test.codes[i])}`).join(" + ")
    : cell(test.feature);
  const needed = test.features.length ? summedNumbers(test) : [test.feature];
  const text = asked(one, subject, columns);
  if (!needed.length) return text;
  if (one.missing === true) {
    const gap = needed.map((f) => `${cell(f)} is None`).join(" or ");
    return text ? `(${gap} or ${text})` : gap;
  }
  if (one.missing === false && !one.values)
    return `${needed.map((f) => `${cell(f)} is not None`).join(" and ")} and ${text}`;
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
  const spec = one.test.features.length ? undefined : columns[one.test.feature];
  if (spec?.levels) {
    const names = levelsBetween(spec.levels, one).map(pythonLiteral);
    return names.length ? `${subject} in (${names.join(", ")},)` : "False";
  }
  const bound = (value: number): string => (spec?.date === undefined ? String(value) : datetime(value));
  const lower = one.lower > -Infinity ? `${bound(one.lower)} < ` : "";
  const upper = one.upper < Infinity ? ` <= ${bound(one.upper)}` : "";
  return lower + subject + upper;
}

/** A moment as Python writes it; cells are to be datetimes without a zone, in UTC. */
function datetime(value: number): string {
  return `datetime.datetime.fromisoformat("${moment(value, true)}")`;
}

/** All conditions together, as an expression on `row`. */
export function pythonWhere(conditions: readonly Condition[], columns: readonly ColumnSpec[]): string {
  return conditions.map((one) => conditionSource(one, columns)).join(" and ") || "True";
}

/** Python nests no deeper than a hundred blocks. */
const DEEPEST = 90;

/** The whole tree as nested questions, so that a row is asked only for what its path tests. */
export function pythonFunction(
  tree: Tree,
  columns: readonly ColumnSpec[],
  classes: readonly Label[],
  target: string,
): string {
  const about = `The class of a row, a mapping from column names to values: ${target}.`.replaceAll('"', "'");
  const dated = tree.features().some((column) => columns[column].date !== undefined);
  const about_ = dated ? `${about} Dates are datetimes without a zone, in UTC.` : about;
  const head = dated ? ["import datetime", "", ""] : [];
  const lines = [...head, "def predict(row):", `    """${about_.replaceAll("\\", "\\\\").replace(/\s+/g, " ")}"""`];
  const answer = (node: number): string => `return ${pythonLiteral(classes[tree.classOf(node)])}`;
  if (tree.height > DEEPEST) {
    for (const leaf of tree.walk().filter((node) => tree.isLeaf(node))) {
      lines.push(
        `    if ${pythonWhere(merged(pathConditions(tree, leaf, columns), columns), columns)}:`,
        `        ${answer(leaf)}`,
      );
    }
    return `${lines.join("\n")}\n`;
  }
  const write = (node: number, indent: string): void => {
    const test = tree.tests[node];
    if (!test) {
      lines.push(indent + answer(node));
      return;
    }
    const children = tree.children(node);
    // one that is neither a level nor missing belongs to neither branch
    const numeric = (test.kind === THRESHOLD && !columns[test.feature].levels) || test.kind === LINEAR;
    children.forEach((child, branch) => {
      const asked = conditionSource(wayInto(tree, child, columns), columns);
      const last = branch === children.length - 1;
      lines.push(numeric && last ? `${indent}else:` : `${indent}${branch ? "elif" : "if"} ${asked}:`);
      write(child, `${indent}    `);
    });
    if (!numeric)
      lines.push(
        `${indent}else:`,
        `${indent}    raise ValueError(${pythonLiteral(`${columns[test.feature].name} is missing, or not a value that the tree knows`)})`,
      );
  };
  write(0, "    ");
  return `${lines.join("\n")}\n`;
}
