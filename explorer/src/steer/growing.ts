/** Growing: a subtree of a few leaves with few errors below a given test, on the rows of the page. */

import type { PackedTest } from "../model/document";
import type { Rows } from "../model/rows";
import { branchOf } from "../model/route";
import { type Test, sum, unpackTest } from "../model/tree";
import { type NodeRows, classWeights, nextBest } from "./nextBest";
import { type Working, breadthFirst, leafOf } from "./working";

export interface GrowOptions {
  nClasses: number;
  maxLeaves: number;
  each: boolean;
  forbidden: ReadonlySet<number>;
  /** What the counts are multiplied by, where the rows are a sample. */
  scale: number;
}

interface Open {
  node: Working;
  rows: NodeRows;
  best: PackedTest;
  worth: number;
}

/** Grow best first to a few times the wanted size, then cut the weakest links until few enough leaves are left. */
export function grow(rows: Rows, here: NodeRows, first: PackedTest | null, options: GrowOptions): Working {
  const root = leafOf(scaled(classWeights(rows, here, options.nClasses), options.scale));
  const open: Open[] = [];
  const consider = (node: Working, held: NodeRows): void => {
    if (held.rows.length < 4 || node.counts.filter((w) => w > 0).length < 2) return;
    const [best] = nextBest(rows, held, options.nClasses, {
      each: options.each,
      most: 1,
      forbidden: options.forbidden,
    });
    if (best) open.push({ node, rows: held, best: best.packed, worth: best.gain * sum(node.counts) });
  };
  let leaves = 1;
  const split = (node: Working, held: NodeRows, packed: PackedTest): void => {
    const parts = divided(rows, held, unpackTest(packed));
    node.test = unpackTest(packed);
    node.children = parts.map((part) => leafOf(scaled(classWeights(rows, part, options.nClasses), options.scale)));
    leaves += parts.length - 1;
    node.children.forEach((child, i) => consider(child, parts[i]));
  };
  if (first) split(root, here, first);
  else consider(root, here);
  const most = Math.min(4 * options.maxLeaves, options.maxLeaves + 48);
  while (open.length && leaves < most) {
    let at = 0;
    for (let i = 1; i < open.length; i++) if (open[i].worth > open[at].worth) at = i;
    const [{ node, rows: held, best }] = open.splice(at, 1);
    split(node, held, best);
  }
  cutBack(root, options.maxLeaves, first !== null);
  return root;
}

function scaled(counts: Float64Array, factor: number): Float64Array {
  return factor === 1 ? counts : counts.map((w) => w * factor);
}

/** The rows of each branch; a row without the value goes down all of them, in proportion. */
export function divided(rows: Rows, here: NodeRows, test: Test): NodeRows[] {
  const n = test.kind === 2 ? (rows.columns[test.feature].values?.length ?? 0) : 2;
  const branch = new Int32Array(rows.n).fill(-2);
  const weight = new Array<number>(n).fill(0);
  for (const row of here.rows) {
    branch[row] = branchOf(test, (column) => rows.cells[column][row], -1);
    if (branch[row] >= 0) weight[branch[row]] += here.weights[row];
  }
  const total = weight.reduce((a, b) => a + b, 0);
  return weight.map((held, b) => {
    const share = total > 0 ? held / total : 0;
    const goes = (row: number): boolean => branch[row] === b || (branch[row] === -1 && share > 0);
    const weights = new Float64Array(rows.n);
    for (const row of here.rows) {
      if (branch[row] === b) weights[row] = here.weights[row];
      else if (branch[row] === -1) weights[row] = here.weights[row] * share;
    }
    const orders = new Map<number, Int32Array>();
    for (const [column, order] of here.orders) orders.set(column, order.filter(goes));
    return { rows: here.rows.filter(goes), weights, orders };
  });
}

export function errorsAsLeaf(node: Working): number {
  let most = 0;
  for (const w of node.counts) most = Math.max(most, w);
  return sum(node.counts) - most;
}

/** Errors of the leaves at or below a node. */
export function errorsBelow(node: Working): number {
  return breadthFirst(node)
    .filter((one) => !one.children.length)
    .reduce((total, one) => total + errorsAsLeaf(one), 0);
}

function cutBack(root: Working, maxLeaves: number, keepRoot: boolean): void {
  for (;;) {
    const order = breadthFirst(root);
    const leaves = new Map<Working, number>();
    const errors = new Map<Working, number>();
    for (const one of order.reverse()) {
      const below = one.children;
      leaves.set(one, below.length ? below.reduce((n, child) => n + (leaves.get(child) as number), 0) : 1);
      errors.set(
        one,
        below.length ? below.reduce((e, child) => e + (errors.get(child) as number), 0) : errorsAsLeaf(one),
      );
    }
    let weakest: Working | null = null;
    let price = Infinity;
    for (const one of order) {
      if (!one.children.length || (keepRoot && one === root)) continue;
      const here = (errorsAsLeaf(one) - (errors.get(one) as number)) / ((leaves.get(one) as number) - 1);
      if (here < price - 1e-12) {
        price = here;
        weakest = one;
      }
    }
    const enough = (leaves.get(root) as number) <= maxLeaves;
    if (!weakest || (enough && price > 1e-9)) return;
    weakest.test = null;
    weakest.children = [];
  }
}
