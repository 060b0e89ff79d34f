/** SQL: a rule as a condition, a tree as one CASE; a row that lacks a tested value meets no rule unless the tree says so. */

import { type Condition, merged, pathConditions } from "../model/conditions";
import type { ColumnSpec, Label } from "../model/document";
import type { Tree } from "../model/tree";

interface Dialect {
  name: string;
  quotes: [string, string];
  /** Whether a backslash in a text must be doubled. */
  backslash: boolean;
  /** How a quote within a text is written. */
  quote: string;
}

const ansi = { quotes: ['"', '"'] as [string, string], backslash: false, quote: "''" };
const ticks = { quotes: ["`", "`"] as [string, string], backslash: true, quote: "\\'" };

export const DIALECTS: Record<string, Dialect> = {
  postgres: { name: "PostgreSQL", ...ansi },
  duckdb: { name: "DuckDB", ...ansi },
  sqlite: { name: "SQLite", ...ansi },
  mysql: { name: "MySQL", ...ticks },
  sqlserver: { name: "SQL Server", ...ansi, quotes: ["[", "]"] },
  bigquery: { name: "BigQuery", ...ticks },
  snowflake: { name: "Snowflake", ...ansi, backslash: true },
  spark: { name: "Spark", ...ticks },
  clickhouse: { name: "ClickHouse", ...ticks },
};

export class SqlWriter {
  private readonly dialect: Dialect;

  constructor(
    private readonly columns: readonly ColumnSpec[],
    dialect: string,
  ) {
    this.dialect = DIALECTS[dialect];
  }

  name(name: string): string {
    const [open, close] = this.dialect.quotes;
    return (
      open + name.replaceAll(close, close === "`" && this.dialect.name === "BigQuery" ? "\\`" : close + close) + close
    );
  }

  literal(value: Label): string {
    if (typeof value === "number") return real(value);
    if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
    const text = this.dialect.backslash ? value.replaceAll("\\", "\\\\") : value;
    return `'${text.replaceAll("'", this.dialect.quote)}'`;
  }

  condition(one: Condition): string {
    const { test } = one;
    const subject = test.features.length
      ? test.features
          .map((f, i) => {
            const weight = test.weights[i];
            const sign = i ? (weight < 0 ? " - " : " + ") : weight < 0 ? "-" : "";
            return `${sign}${real(Math.abs(weight))} * ${this.name(this.columns[f].name)}`;
          })
          .join("")
      : this.name(this.columns[test.feature].name);
    const text = this.asked(one, subject, test.features.length > 0);
    if (one.missing !== true) return text;
    const gap = test.features.length ? `(${subject}) IS NULL` : `${subject} IS NULL`;
    return text ? `(${text} OR ${gap})` : gap;
  }

  private asked(one: Condition, subject: string, isSum: boolean): string {
    if (one.values) {
      const declared = this.columns[one.test.feature].values ?? [];
      if (!one.values.length) return one.missing ? "" : "1 = 0";
      if (one.values.length === declared.length) return `${subject} IS NOT NULL`;
      const names = one.values.map((code) => this.literal(declared[code]));
      return names.length === 1 ? `${subject} = ${names[0]}` : `${subject} IN (${names.join(", ")})`;
    }
    const parts: string[] = [];
    if (one.lower > -Infinity) parts.push(`${subject} > ${real(one.lower)}`);
    if (one.upper < Infinity) parts.push(`${subject} <= ${real(one.upper)}`);
    const text = parts.join(" AND ");
    return isSum && parts.length > 1 ? `(${text})` : text;
  }

  /** All conditions together, for a WHERE. */
  where(conditions: readonly Condition[]): string {
    return conditions.map((one) => this.condition(one)).join(" AND ") || "1 = 1";
  }

  /** The whole tree: one WHEN for each leaf, in reading order. */
  tree(tree: Tree, classes: readonly Label[], target: string, table = "data"): string {
    const lines = ["SELECT *,", "  CASE"];
    for (const leaf of tree.walk().filter((node) => tree.isLeaf(node))) {
      const conditions = merged(pathConditions(tree, leaf, this.columns), this.columns);
      lines.push(`    WHEN ${this.where(conditions)} THEN ${this.literal(classes[tree.classOf(leaf)])}`);
    }
    lines.push(`  END AS ${this.name(`predicted_${target}`)}`, `FROM ${this.name(table)}`);
    const gaps = tree.tests.some((test, node) => test !== null && tree.missing[node] < 0);
    const note = gaps
      ? "-- NULL where a tested value is missing; tree.to_sql in Python shares such rows out instead\n"
      : "";
    return `${note}${lines.join("\n")};\n`;
  }
}

/** A number that every engine reads as the same double: above 15 digits with an exponent, so that it is no decimal. */
export function real(value: number): string {
  const text = String(value);
  const digits = text
    .replace(/e.*$/i, "")
    .replace(/^[-0.]+/, "")
    .replace(".", "").length;
  if (text.includes("e") || digits <= 15) return text.replace("e+", "e").replace("e", "E");
  return `${text}E0`;
}
