/** Distribution: how the rows at a node spread over what it tests, by class, and where the test cuts. */

import type { Bins, ColumnSpec } from "../model/document";
import type { Model } from "../model/model";
import { planeSum } from "../model/route";
import { BRANCHES, LINEAR, SUBSET, type Test, type Tree } from "../model/tree";

export interface Distribution {
  /** Class weights of each bar. */
  bars: number[][];
  /** Of numbers: the edges of the bars; of values: null. */
  edges: number[] | null;
  /** Of values: the code of each bar, in the order drawn. */
  codes: number[] | null;
  /** Where the test cuts: a number, or the place of the bar before which the other branch begins. */
  cut: number | null;
  /** How much the tallest bar holds. */
  most: number;
  missing: number;
}

const MOST_BARS = 24;

export function distribution(
  model: Model,
  tree: Tree,
  node: number,
  entry: number,
  fine = MOST_BARS,
): Distribution | null {
  const test = tree.tests[node];
  if (!test) return null;
  const counted = model.counted(tree);
  if (!counted || !model.rows) {
    const given = entry >= 0 ? model.details(entry)?.bins[node] : null;
    return given ? fromBins(model, test, given) : null;
  }
  const { rows } = model;
  const k = tree.nClasses;
  const members = counted.members(node).filter(({ row }) => rows.y[row] >= 0);
  if (test.kind === BRANCHES || test.kind === SUBSET) {
    const counts = new Array<number>((model.columns[test.feature].values ?? []).length * k).fill(0);
    let missing = 0;
    for (const { row, share } of members) {
      const code = rows.cells[test.feature][row];
      if (code < 0) missing += rows.weights[row] * share;
      else counts[code * k + rows.y[row]] += rows.weights[row] * share;
    }
    return { ...fromBins(model, test, { counts }), missing };
  }
  const values: number[] = [];
  const kept: { row: number; share: number }[] = [];
  let missing = 0;
  for (const member of members) {
    const cell = (column: number): number => rows.cells[column][member.row];
    const value = test.kind === LINEAR ? planeSum(test, cell) : cell(test.feature);
    if (Number.isNaN(value)) missing += rows.weights[member.row] * member.share;
    else {
      values.push(value);
      kept.push(member);
    }
  }
  const edges = binEdges(model, test, values, fine);
  const counts = new Array<number>((edges.length - 1) * k).fill(0);
  values.forEach((value, i) => {
    const { row, share } = kept[i];
    counts[binOf(edges, value) * k + rows.y[row]] += rows.weights[row] * share;
  });
  return { ...fromBins(model, test, { edges, counts }), missing };
}

/** Bars that end at the cut, so that no bar holds rows of both branches; whole numbers get a bar each if they can. */
function binEdges(model: Model, test: Test, values: readonly number[], fine: number): number[] {
  let low = test.cut;
  let high = test.cut;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (!(high > low)) return [low - 0.5, low + 0.5];
  const { decimals, date }: Partial<ColumnSpec> = test.kind === LINEAR ? {} : model.columns[test.feature];
  const unit = date ?? (decimals === undefined ? 0 : 10 ** -decimals);
  let step = (high - low) / fine;
  if (unit && (high - low) / unit <= fine + 4) step = unit;
  else if (unit) step = Math.ceil(step / unit) * unit;
  const edges = [test.cut];
  while (edges[0] >= low && edges.length < 3 * fine) edges.unshift(edges[0] - step);
  while (edges[edges.length - 1] < high && edges.length < 6 * fine) edges.push(edges[edges.length - 1] + step);
  return edges.length > 1 ? edges : [test.cut - step, test.cut];
}

/** The bar of a value: bars are open below and closed above, as the tests are. */
function binOf(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > edges[middle + 1]) low = middle + 1;
    else high = middle;
  }
  return low;
}

function fromBins(model: Model, test: Test, bins: Bins): Distribution {
  const k = model.classes.length;
  const all = Array.from({ length: bins.counts.length / k }, (_, i) => bins.counts.slice(i * k, (i + 1) * k));
  const weight = (bar: readonly number[]): number => bar.reduce((a, b) => a + b, 0);
  if (bins.edges) {
    return { bars: all, edges: bins.edges, codes: null, cut: test.cut, most: Math.max(...all.map(weight)), missing: 0 };
  }
  const inside = new Set(test.inside);
  let codes = all.map((_, code) => code).filter((code) => weight(all[code]) > 0);
  if (test.kind === SUBSET) codes = [...codes.filter((c) => inside.has(c)), ...codes.filter((c) => !inside.has(c))];
  const cut = test.kind === SUBSET ? codes.filter((c) => inside.has(c)).length : null;
  const bars = codes.map((code) => all[code]);
  return { bars, edges: null, codes, cut, most: Math.max(0, ...bars.map(weight)), missing: 0 };
}
