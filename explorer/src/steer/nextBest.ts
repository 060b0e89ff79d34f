/** Next best: the best test of each column at a node, by information gain, counted on the rows of the page. */

import type { PackedTest } from "../model/document";
import type { Rows } from "../model/rows";

export const MIN_BRANCH = 2;
export const MOST_VALUES = 64;

export interface NextBest {
  packed: PackedTest;
  gain: number;
  branches: number[][];
}

/** The rows at a node: weights by row (0 elsewhere), and for each numeric column the known rows in ascending order. */
export interface NodeRows {
  rows: Int32Array;
  weights: Float64Array;
  orders: Map<number, Int32Array>;
}

export function nodeRows(rows: Rows, members: readonly { row: number; share: number }[]): NodeRows {
  const weights = new Float64Array(rows.n);
  const kept: number[] = [];
  for (const { row, share } of members) {
    if (rows.y[row] < 0 || !(rows.weights[row] * share > 0)) continue;
    weights[row] = rows.weights[row] * share;
    kept.push(row);
  }
  const orders = new Map<number, Int32Array>();
  rows.columns.forEach((column, i) => {
    if (!column.values)
      orders.set(
        i,
        rows.order(i).filter((row) => weights[row] > 0),
      );
  });
  return { rows: Int32Array.from(kept), weights, orders };
}

export function classWeights(rows: Rows, here: NodeRows, nClasses: number): Float64Array {
  const found = new Float64Array(nClasses);
  for (const row of here.rows) found[rows.y[row]] += here.weights[row];
  return found;
}

/** The best tests, at most one for each column, the best first. `each`: nominal columns have a branch for each value. */
export function nextBest(
  rows: Rows,
  here: NodeRows,
  nClasses: number,
  options: { each: boolean; most: number; forbidden?: ReadonlySet<number> },
): NextBest[] {
  const found: NextBest[] = [];
  const total = here.rows.reduce((sum, row) => sum + here.weights[row], 0);
  rows.columns.forEach((column, feature) => {
    if (options.forbidden?.has(feature)) return;
    let best: NextBest | null = null;
    if (!column.values) best = threshold(rows, here, feature, nClasses, total);
    else if (column.values.length <= MOST_VALUES) {
      const table = byValue(rows, here, feature, column.values.length, nClasses);
      best = options.each ? branches(feature, table, total) : valueSet(feature, table, total);
    }
    if (best && best.gain > 1e-9) found.push(best);
  });
  found.sort((a, b) => b.gain - a.gain);
  return found.slice(0, options.most);
}

function xlogx(x: number): number {
  return x > 0 ? x * Math.log2(x) : 0;
}

/** Entropy in bits times weight. */
export function bits(weights: ArrayLike<number>): number {
  let size = 0;
  let inner = 0;
  for (let i = 0; i < weights.length; i++) {
    size += weights[i];
    inner += xlogx(weights[i]);
  }
  return xlogx(size) - inner;
}

function threshold(rows: Rows, here: NodeRows, feature: number, k: number, total: number): NextBest | null {
  const order = here.orders.get(feature) as Int32Array;
  const cells = rows.cells[feature];
  const right = new Float64Array(k);
  for (const row of order) right[rows.y[row]] += here.weights[row];
  const known = right.reduce((a, b) => a + b, 0);
  const whole = bits(right);
  const left = new Float64Array(k);
  let leftSize = 0;
  let leftInner = 0;
  let rightInner = right.reduce((sum, w) => sum + xlogx(w), 0);
  let best = -1;
  let at = -1;
  for (let i = 0; i + 1 < order.length; i++) {
    const row = order[i];
    const y = rows.y[row];
    const weight = here.weights[row];
    leftInner += xlogx(left[y] + weight) - xlogx(left[y]);
    rightInner += xlogx(Math.max(right[y] - weight, 0)) - xlogx(right[y]);
    left[y] += weight;
    right[y] = Math.max(right[y] - weight, 0);
    leftSize += weight;
    const rightSize = known - leftSize;
    if (cells[order[i + 1]] > cells[row] && leftSize >= MIN_BRANCH && rightSize >= MIN_BRANCH) {
      const gain = whole - (xlogx(leftSize) - leftInner) - (xlogx(rightSize) - rightInner);
      if (gain > best + 1e-9) {
        best = gain;
        at = i;
      }
    }
  }
  if (at < 0) return null;
  const sides = [new Array<number>(k).fill(0), new Array<number>(k).fill(0)];
  order.forEach((row, i) => {
    sides[i <= at ? 0 : 1][rows.y[row]] += here.weights[row];
  });
  return { packed: [feature, shortCut(cells[order[at]], cells[order[at + 1]])], gain: best / total, branches: sides };
}

/** A number from `low` to below `high`, near their middle, with as few decimals as will do. */
export function shortCut(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  for (let decimals = 0; decimals < 13; decimals++) {
    const scale = 10 ** decimals;
    const cut = Math.floor(middle * scale + 0.5) / scale;
    if (low <= cut && cut < high) return cut;
  }
  return low;
}

function byValue(rows: Rows, here: NodeRows, feature: number, nValues: number, k: number): number[][] {
  const table = Array.from({ length: nValues }, () => new Array<number>(k).fill(0));
  const cells = rows.cells[feature];
  for (const row of here.rows) if (cells[row] >= 0) table[cells[row]][rows.y[row]] += here.weights[row];
  return table;
}

const size = (weights: readonly number[]): number => weights.reduce((a, b) => a + b, 0);
const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((w, i) => w + b[i]);

function branches(feature: number, table: number[][], total: number): NextBest | null {
  if (table.filter((weights) => size(weights) >= MIN_BRANCH).length < 2) return null;
  const whole = table.reduce(plus);
  const gain = bits(whole) - table.reduce((sum, weights) => sum + bits(weights), 0);
  return { packed: [feature], gain: gain / total, branches: table };
}

function valueSet(feature: number, table: number[][], total: number): NextBest | null {
  const present = table.map((_, code) => code).filter((code) => size(table[code]) > 0);
  if (present.length < 2) return null;
  const whole = table.reduce(plus);
  const k = whole.length;
  const none = new Array<number>(k).fill(0);
  let best = -1;
  let inside: number[] = [];
  for (let c = k === 2 ? 1 : 0; c < k; c++) {
    const share = (code: number): number => table[code][c] / size(table[code]);
    const order = [...present].sort((a, b) => share(a) - share(b) || a - b);
    let left = none;
    for (let i = 0; i + 1 < order.length; i++) {
      left = plus(left, table[order[i]]);
      const right = whole.map((w, j) => w - left[j]);
      if (size(left) < MIN_BRANCH || size(right) < MIN_BRANCH) continue;
      const gain = bits(whole) - bits(left) - bits(right);
      if (gain > best + 1e-9) {
        best = gain;
        inside = order.slice(0, i + 1);
      }
    }
  }
  if (best < 0) return null;
  inside.sort((a, b) => a - b);
  const outside = present.filter((code) => !inside.includes(code));
  const fewer = outside.length < inside.length || (outside.length === inside.length && outside[0] < inside[0]);
  const [first, second] = fewer ? [outside, inside] : [inside, outside];
  const held = (codes: number[]): number[] => codes.map((code) => table[code]).reduce(plus, none);
  return { packed: [feature, first], gain: best / total, branches: [held(first), held(second)] };
}
