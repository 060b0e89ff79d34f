/** Wording: numbers, shares, counts and conditions as short text for people, as in Python. */

import type { ColumnSpec } from "./document";
import type { Condition } from "./conditions";
import { type Test, summedNumbers } from "./tree";

/** Significant digits, but never fewer than those before the point. */
export function number(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return minus(trimmed(value.toExponential(digits - 1)));
  const before = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 0;
  if (size && size < 1) digits -= Math.floor(Math.log10(size)) + 1;
  const text = trimmed(value.toFixed(Math.min(Math.max(digits - before, 0), 100)));
  return text === "-0" ? "0" : minus(text);
}

function trimmed(text: string): string {
  const [amount, exponent] = text.split("e");
  const short = amount.includes(".") ? amount.replace(/0+$/, "").replace(/\.$/, "") : amount;
  return exponent === undefined ? short : `${short}e${exponent}`;
}

function minus(text: string): string {
  return text.replaceAll("-", "−");
}

/** A moment as ISO text, as short as says it all, to the microsecond. */
export function moment(value: number, full = false): string {
  const rounded = Math.round((value - Math.floor(value)) * 1000);
  const day = new Date(Math.floor(value) + (rounded === 1000 ? 1 : 0));
  const year = day.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return `${number(value, 15)} ms`;
  const iso = day.toISOString();
  const rest = String(rounded % 1000).padStart(3, "0");
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 23) + rest];
  if (full) return `${date} ${time}`;
  if (!time.endsWith(".000000")) return `${date} ${time.replace(/0+$/, "")}`;
  if (!time.startsWith("00", 6)) return `${date} ${time.slice(0, 8)}`;
  return time.startsWith("00:00") ? date : `${date} ${time.slice(0, 5)}`;
}

/** A number of a column, a cell or a cut, in the column's own words; of a cut between two levels the lower one. */
export function cellWords(spec: ColumnSpec | undefined, value: number, digits = 6): string {
  if (spec?.date !== undefined) return moment(value);
  if (spec?.levels) return visible(spec.levels[Math.floor(value)] ?? (value < 0 ? "(none)" : number(value)));
  return number(value, digits);
}

/** A share as whole per cent that claims neither none nor all unless that is so. */
export function percent(share: number): string {
  if (share <= 1e-9) return "0 %";
  if (share >= 1 - 1e-9) return "100 %";
  const rounded = (100 * share).toFixed(0);
  return rounded === "0" ? "<1 %" : rounded === "100" ? ">99 %" : `${rounded} %`;
}

/** A share with one decimal. */
export function points(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** A count with thousands apart; fractions, which missing values cause, keep one digit. */
export function count(amount: number): string {
  const whole = Math.abs(amount - Math.round(amount)) < 0.05 || amount >= 1000;
  const text = whole ? Math.round(amount).toString() : amount.toFixed(1);
  return text.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

export function plural(amount: number, noun: string, several = `${noun}s`): string {
  const text = count(amount);
  return `${text} ${text === "1" ? noun : several}`;
}

/** A name on one line: characters that do not print are shown escaped, an empty one is called so. */
export function visible(name: unknown): string {
  const text = String(name);
  if (text === "") return "(empty)";
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (c) => {
    const known: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
    return known[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Values as "a, b or c"; beyond `most` they are counted. */
export function listed(values: readonly string[], most = Infinity, and = "or"): string {
  if (values.length <= 1) return values[0] ?? "";
  if (values.length > most) return `${values.slice(0, most - 1).join(", ")} ${and} ${values.length - most + 1} more`;
  return `${values.slice(0, -1).join(", ")} ${and} ${values[values.length - 1]}`;
}

/** Two bounds that differ never read the same. */
function bounds(lower: number, upper: number): [string, string] {
  for (let digits = 6; digits < 18; digits++) {
    const pair: [string, string] = [number(lower, digits), number(upper, digits)];
    if (pair[0] !== pair[1]) return pair;
  }
  return [number(lower, 17), number(upper, 17)];
}

const DAY = 86_400_000;

/** A term of a weighted sum as people read it: the weight of a number, or of a column's having a value. */
export function termWords(spec: ColumnSpec, weight: number, code: number): { name: string; weight: number } {
  if (code >= 0) return { name: `(${visible(spec.name)} = ${visible(spec.values?.[code])})`, weight };
  // cells are milliseconds since 1970, whose weights no one can read
  if (spec.date !== undefined) return { name: `${visible(spec.name)} in days since 1970`, weight: weight * DAY };
  return { name: visible(spec.name), weight };
}

/** A weighted sum; the term with the most influence first. */
export function planeWords(columns: readonly ColumnSpec[], { features, weights, codes }: Test): string {
  return features
    .map((feature, i) => {
      const { name, weight } = termWords(columns[feature], weights[i], codes[i]);
      const amount = number(Math.abs(weight));
      const sign = i ? (weight < 0 ? " − " : " + ") : weight < 0 ? "−" : "";
      return sign + (amount === "1" ? "" : `${amount}·`) + name;
    })
    .join("");
}

/** What a condition is about, in words. */
export function subjectWords(condition: Condition, columns: readonly ColumnSpec[]): string {
  const { test } = condition;
  return test.features.length ? planeWords(columns, test) : visible(columns[test.feature].name);
}

/** What a condition asks of its subject: "≤ 0.8", "between 1 and 2", "= red". */
export function askedWords(condition: Condition, columns: readonly ColumnSpec[], most = Infinity): string {
  const { features } = condition.test;
  // a sum of values alone is never missing
  const missing = condition.missing === true && (!features.length || summedNumbers(condition.test).length > 0);
  const end = missing ? " or missing" : "";
  if (condition.values) {
    const declared = columns[condition.test.feature].values ?? [];
    if (!condition.values.length) return condition.missing ? "missing" : "no value";
    if (condition.values.length === declared.length && condition.missing === false) return "known";
    const left = declared.length - condition.values.length;
    if (left === 1 && condition.values.length > 1) {
      const other = declared.findIndex((_, code) => !condition.values?.includes(code));
      return `≠ ${visible(declared[other])}${end}`;
    }
    const names = condition.values.map((code) => visible(declared[code]));
    return names.length === 1 ? `= ${names[0]}${end}` : `in ${listed(names, most)}${end}`;
  }
  const { lower, upper } = condition;
  if (lower >= upper) return missing ? "missing" : "no value";
  const spec = features.length ? undefined : columns[condition.test.feature];
  if (upper === Infinity) return `> ${cellWords(spec, lower)}${end}`;
  if (lower === -Infinity) return `≤ ${cellWords(spec, upper)}${end}`;
  const own = spec?.levels || spec?.date !== undefined;
  const [low, high] = own ? [cellWords(spec, lower), cellWords(spec, upper)] : bounds(lower, upper);
  return `${low} < … ≤ ${high}${end}`;
}

/** A whole condition: "petal width ≤ 0.8", "1 < age ≤ 2". */
export function conditionWords(condition: Condition, columns: readonly ColumnSpec[], most = Infinity): string {
  const subject = subjectWords(condition, columns);
  const asked = askedWords(condition, columns, most);
  if (asked.includes(" … ")) return asked.replace("…", subject);
  if (asked === "missing" || asked === "known" || asked === "no value") return `${subject} is ${asked}`;
  return `${subject} ${asked}`;
}
