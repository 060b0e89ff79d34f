/** SQL: a rule as a condition, a tree as one CASE; a row that lacks a tested value meets no rule unless the tree says so. */

import { type Condition, levelsBetween, merged, pathConditions } from "../model/conditions";
import type { ColumnSpec, Label } from "../model/document";
import { LINEAR, type Test, type Tree, summedNumbers } from "../model/tree";
import { moment as momentText } from "../model/wording";

interface Dialect {
  name: string;
  quotes: [string, string];
  /** Whether a backslash in a text must be doubled. */
  backslash: boolean;
  /** How a quote within a text is written. */
  quote: string;
  /** Something comparable of a `{cell}` that holds a moment, and the same of a moment's `{text}`. */
  moment: [string, string];
  /** Milliseconds since 1970 of such a cell, for weighted sums. */
  milliseconds: string;
}

type Pair = [string, string];
const moment: Pair = ["{cell}", "TIMESTAMP '{text}'"];
const ansi = { quotes: ['"', '"'] as Pair, backslash: false, quote: "''", moment };
const ticks = { quotes: ["`", "`"] as Pair, backslash: true, quote: "\\'", moment };

export const DIALECTS: Record<string, Dialect> = {
  postgres: { name: "PostgreSQL", ...ansi, milliseconds: "(EXTRACT(EPOCH FROM {cell}) * 1000)" },
  duckdb: { name: "DuckDB", ...ansi, milliseconds: "(EXTRACT(EPOCH FROM {cell}) * 1000)" },
  sqlite: {
    name: "SQLite",
    ...ansi,
    moment: ["julianday({cell})", "julianday('{text}')"],
    milliseconds: "round((julianday({cell}) - 2440587.5) * 86400000.0)",
  },
  mysql: { name: "MySQL", ...ticks, milliseconds: "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', {cell}) / 1000)" },
  sqlserver: {
    name: "SQL Server",
    ...ansi,
    quotes: ["[", "]"],
    moment: ["{cell}", "CAST('{text}' AS datetime2)"],
    milliseconds: "DATEDIFF_BIG(millisecond, '1970-01-01', {cell})",
  },
  bigquery: {
    name: "BigQuery",
    ...ticks,
    moment: ["TIMESTAMP({cell})", moment[1]],
    milliseconds: "UNIX_MILLIS(TIMESTAMP({cell}))",
  },
  snowflake: { name: "Snowflake", ...ansi, backslash: true, milliseconds: "DATE_PART(epoch_millisecond, {cell})" },
  spark: { name: "Spark", ...ticks, milliseconds: "unix_millis(to_timestamp({cell}))" },
  clickhouse: {
    name: "ClickHouse",
    ...ticks,
    moment: ["toDateTime64({cell}, 6, 'UTC')", "toDateTime64('{text}', 6, 'UTC')"],
    milliseconds: "toUnixTimestamp64Milli(toDateTime64({cell}, 3, 'UTC'))",
  },
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
      ? test.features.map((_, i) => this.term(test, i)).join("")
      : this.name(this.columns[test.feature].name);
    const text = this.asked(one, subject, test.features.length > 0);
    if (one.missing !== true || !canLack(test)) return text;
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
    const spec = isSum ? undefined : this.columns[one.test.feature];
    if (spec?.levels) {
      const names = levelsBetween(spec.levels, one).map((level) => this.literal(level));
      return names.length ? `${subject} IN (${names.join(", ")})` : "1 = 0";
    }
    const [cell, text_] = this.dialect.moment;
    const isMoment = spec?.date !== undefined;
    const left = isMoment ? cell.replace("{cell}", () => subject) : subject;
    const bound = (value: number): string =>
      isMoment ? text_.replace("{text}", momentText(value, true)) : real(value);
    const parts: string[] = [];
    if (one.lower > -Infinity) parts.push(`${left} > ${bound(one.lower)}`);
    if (one.upper < Infinity) parts.push(`${left} <= ${bound(one.upper)}`);
    const text = parts.join(" AND ");
    return isSum && parts.length > 1 ? `(${text})` : text;
  }

  /** A term of a weighted sum; the weight of a value counts where the row has it, and is a double in every engine. */
  private term({ features, weights, codes }: Test, i: number): string {
    const [spec, weight] = [this.columns[features[i]], weights[i]];
    if (codes[i] >= 0) {
      const value = this.literal(spec.values?.[codes[i]] ?? "");
      return `${i ? " + " : ""}CASE WHEN ${this.name(spec.name)} = ${value} THEN ${double(weight)} ELSE 0E0 END`;
    }
    const sign = i ? (weight < 0 ? " - " : " + ") : weight < 0 ? "-" : "";
    return `${sign}${real(Math.abs(weight))} * ${this.summand(features[i])}`;
  }

  /** A column in a weighted sum, where moments are milliseconds and levels are counted from 0. */
  private summand(column: number): string {
    const { name, levels, date } = this.columns[column];
    const cell = this.name(name);
    if (levels) return `CASE ${cell} ${levels.map((one, i) => `WHEN ${this.literal(one)} THEN ${i}`).join(" ")} END`;
    return date === undefined ? cell : this.dialect.milliseconds.replace("{cell}", () => cell);
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
    const gaps = tree.tests.some((test, node) => test && tree.missing[node] < 0 && canLack(test));
    const note = gaps
      ? "-- NULL where a tested value is missing; tree.to_sql in Python shares such rows out instead\n"
      : "";
    return `${note}${lines.join("\n")};\n`;
  }
}

/** Whether a row can lack what is tested: a sum of values alone is always known. */
function canLack(test: Test): boolean {
  return test.kind !== LINEAR || summedNumbers(test).length > 0;
}

/** A number with an exponent, which no engine takes for a decimal. */
function double(value: number): string {
  const text = real(value);
  return text.includes("E") ? text : `${text}E0`;
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
