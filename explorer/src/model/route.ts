/** Route: where a row goes and what is predicted there, operation for operation as in Python's kernel. */

import { BRANCHES, LINEAR, type Test, THRESHOLD, type Tree, sum } from "./tree";

/** A row's cell in a column: a number or NaN, a code or -1. */
export type Cell = (column: number) => number;

/** The branch; where the value is missing that of `missing`, or -1 if the row is to be shared out. */
export function branchOf(test: Test, cell: Cell, missing: number): number {
  if (test.kind === THRESHOLD) {
    const value = cell(test.feature);
    return Number.isNaN(value) ? missing : value > test.cut ? 1 : 0;
  }
  if (test.kind === LINEAR) {
    const total = planeSum(test, cell);
    return Number.isNaN(total) ? missing : total > test.cut ? 1 : 0;
  }
  const code = cell(test.feature);
  if (code < 0) return missing;
  return test.kind === BRANCHES ? code : test.inside.includes(code) ? 0 : 1;
}

/** The terms added from the first to the last, in double precision; a missing value is none of those asked for. */
export function planeSum({ features, weights, codes }: Test, cell: Cell): number {
  let total = 0;
  for (let i = 0; i < features.length; i++) {
    const value = cell(features[i]);
    if (codes[i] < 0) total += weights[i] * value;
    else if (value === codes[i]) total += weights[i];
  }
  return total;
}

/** The leaves that a row reaches, each with the row's share in it. */
export interface Part {
  node: number;
  share: number;
}

/** Answers for one tree; shares and probabilities are worked out once. */
export class Router {
  /** For each node the share of rows without a value that its parent sends there. */
  readonly share: Float64Array;
  private readonly plain: Float64Array;
  private readonly smooth: Float64Array;

  constructor(readonly tree: Tree) {
    const { nNodes, nClasses: k, bags, parent } = tree;
    const weight = new Float64Array(nNodes);
    for (let node = 0; node < nNodes; node++) weight[node] = sum(bags.subarray(node * k, (node + 1) * k));
    const ofSiblings = new Float64Array(nNodes);
    for (let node = 1; node < nNodes; node++) ofSiblings[parent[node]] += weight[node];
    this.share = new Float64Array(nNodes).fill(1);
    for (let node = 1; node < nNodes; node++) {
      const below = ofSiblings[parent[node]];
      this.share[node] = below > 0 ? weight[node] / below : 0;
    }
    this.plain = new Float64Array(nNodes * k);
    for (let node = 0; node < nNodes; node++) {
      const counts = tree.deciding(node);
      const total = sum(counts);
      for (let c = 0; c < k; c++) this.plain[node * k + c] = total >= 1e-6 ? counts[c] / total : 0;
    }
    this.smooth = this.plain;
    if (tree.laplace) {
      this.smooth = new Float64Array(nNodes * k);
      for (let node = 0; node < nNodes; node++) {
        const counts = tree.deciding(node);
        const total = sum(counts);
        for (let c = 0; c < k; c++) this.smooth[node * k + c] = (counts[c] + 1) / (total + k);
      }
    }
  }

  /** The leaf; -1 where a missing value sends the row to several. */
  leaf(cell: Cell): number {
    const { tests, firstChild, missing } = this.tree;
    let node = 0;
    for (let test = tests[0]; test; test = tests[node]) {
      const branch = branchOf(test, cell, missing[node]);
      if (branch < 0) return -1;
      node = firstChild[node] + branch;
    }
    return node;
  }

  /** The leaves that a row reaches, in reading order. */
  parts(cell: Cell): Part[] {
    const found: Part[] = [];
    this.visit(cell, (node, share) => {
      if (this.tree.isLeaf(node)) found.push({ node, share });
    });
    return found;
  }

  /** Call back for every node that a row meets, parents first. */
  visit(cell: Cell, meet: (node: number, share: number) => void): void {
    const { tests, firstChild, nChildren, missing, empty } = this.tree;
    const stack: Part[] = [{ node: 0, share: 1 }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { node, share } = top;
      meet(node, share);
      const test = tests[node];
      if (!test) continue;
      const branch = branchOf(test, cell, missing[node]);
      if (branch >= 0) {
        stack.push({ node: firstChild[node] + branch, share });
        continue;
      }
      for (let child = firstChild[node] + nChildren[node] - 1; child >= firstChild[node]; child--) {
        if (!empty[child]) stack.push({ node: child, share: share * this.share[child] });
      }
    }
  }

  probabilities(cell: Cell, smooth = true): number[] {
    const source = smooth ? this.smooth : this.plain;
    const k = this.tree.nClasses;
    const leaf = this.leaf(cell);
    if (leaf >= 0) return Array.from(source.subarray(leaf * k, (leaf + 1) * k));
    const out = new Array<number>(k).fill(0);
    for (const { node, share } of this.parts(cell)) {
      for (let c = 0; c < k; c++) out[c] += share * source[node * k + c];
    }
    return out;
  }

  /** The predicted class, always from unsmoothed probabilities. */
  predicted(cell: Cell): number {
    return this.tree.said(this.probabilities(cell, false));
  }
}
