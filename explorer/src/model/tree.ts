/** Tree: a decision tree as flat arrays, numbered breadth first as in Python. */

import type { PackedTest, PageDocument } from "./document";

export const LEAF = 0;
export const THRESHOLD = 1;
export const BRANCHES = 2;
export const SUBSET = 3;
export const LINEAR = 4;

/** What a node asks. `key` is equal for equal tests. */
export interface Test {
  kind: number;
  feature: number;
  cut: number;
  inside: readonly number[];
  features: readonly number[];
  weights: readonly number[];
  /** For each term of a sum the code of the value for which its weight counts; -1 for a number. */
  codes: readonly number[];
  key: string;
}

const NONE: readonly number[] = [];

export function unpackTest(packed: PackedTest): Test {
  const key = JSON.stringify(packed);
  const [first, second, third, fourth] = packed;
  if (Array.isArray(first)) {
    return {
      kind: LINEAR,
      feature: -1,
      cut: third as number,
      inside: NONE,
      features: first,
      weights: second as number[],
      codes: fourth ?? first.map(() => -1),
      key,
    };
  }
  const base = { feature: first as number, cut: NaN, inside: NONE, features: NONE, weights: NONE, codes: NONE, key };
  if (second === undefined) return { ...base, kind: BRANCHES };
  if (Array.isArray(second)) return { ...base, kind: SUBSET, inside: second };
  return { ...base, kind: THRESHOLD, cut: second as number };
}

/** The columns that a test looks at, each once: a sum may ask for several values of one. */
export function tested(test: Test): readonly number[] {
  return test.kind === LINEAR ? [...new Set(test.features)] : [test.feature];
}

/** The columns of a sum that are numbers, without which there is no sum. */
export function summedNumbers(test: Test): number[] {
  return test.features.filter((_, i) => test.codes[i] < 0);
}

export interface TreeParts {
  tests: (Test | null)[];
  firstChild: Int32Array;
  nChildren: Int32Array;
  missing: Int32Array;
  empty: Uint8Array;
  counts: Float64Array;
  bags: Float64Array;
}

export class Tree implements TreeParts {
  readonly tests: (Test | null)[];
  readonly firstChild: Int32Array;
  readonly nChildren: Int32Array;
  readonly missing: Int32Array;
  readonly empty: Uint8Array;
  /** Class weights, node by node, flat. */
  readonly counts: Float64Array;
  readonly bags: Float64Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** Leaves at or below each node. */
  readonly leavesBelow: Int32Array;
  /** A node's place in reading order, and the place after the last node below it. */
  readonly place: Int32Array;
  readonly placeEnd: Int32Array;
  readonly nLeaves: number;
  readonly height: number;

  constructor(
    parts: TreeParts,
    readonly nClasses: number,
    readonly laplace: boolean,
    readonly learner: string,
    /** What each answer saves, by true class; null where the most probable class is said. */
    readonly worth: readonly number[][] | null = null,
  ) {
    this.tests = parts.tests;
    this.firstChild = parts.firstChild;
    this.nChildren = parts.nChildren;
    this.missing = parts.missing;
    this.empty = parts.empty;
    this.counts = parts.counts;
    this.bags = parts.bags;
    const n = parts.tests.length;
    this.parent = new Int32Array(n).fill(-1);
    this.depth = new Int32Array(n);
    this.leavesBelow = new Int32Array(n);
    const size = new Int32Array(n).fill(1);
    for (let node = 0; node < n; node++) {
      for (const child of this.children(node)) {
        this.parent[child] = node;
        this.depth[child] = this.depth[node] + 1;
      }
    }
    for (let node = n - 1; node >= 0; node--) {
      if (this.isLeaf(node)) this.leavesBelow[node] = 1;
      const above = this.parent[node];
      if (above >= 0) {
        this.leavesBelow[above] += this.leavesBelow[node];
        size[above] += size[node];
      }
    }
    this.place = new Int32Array(n);
    this.placeEnd = new Int32Array(n);
    for (let node = 0; node < n; node++) {
      this.placeEnd[node] = this.place[node] + size[node];
      let next = this.place[node] + 1;
      for (const child of this.children(node)) {
        this.place[child] = next;
        next += size[child];
      }
    }
    this.nLeaves = this.leavesBelow[0];
    this.height = this.depth.reduce((most, depth) => Math.max(most, depth), 0);
  }

  get nNodes(): number {
    return this.tests.length;
  }

  isLeaf(node: number): boolean {
    return this.tests[node] === null;
  }

  children(node: number): number[] {
    const first = this.firstChild[node];
    return Array.from({ length: this.nChildren[node] }, (_, i) => first + i);
  }

  /** Which branch of its parent a node is; -1 for the root. */
  branch(node: number): number {
    return node ? node - this.firstChild[this.parent[node]] : -1;
  }

  /** The nodes from the root to a node, both included. */
  path(node: number): number[] {
    const nodes: number[] = [];
    for (let at = node; at >= 0; at = this.parent[at]) nodes.push(at);
    return nodes.reverse();
  }

  /** Node numbers in reading order. */
  walk(): number[] {
    const order = new Array<number>(this.nNodes);
    for (let node = 0; node < this.nNodes; node++) order[this.place[node]] = node;
    return order;
  }

  isBelow(node: number, above: number): boolean {
    return this.place[node] >= this.place[above] && this.place[node] < this.placeEnd[above];
  }

  weightsOf(node: number): Float64Array {
    return this.counts.subarray(node * this.nClasses, (node + 1) * this.nClasses);
  }

  /** The weights that decide what a node says: an empty leaf has its parent's. */
  deciding(node: number): Float64Array {
    return this.weightsOf(this.empty[node] && node ? this.parent[node] : node);
  }

  weight(node: number): number {
    return sum(this.weightsOf(node));
  }

  /** The first class that exceeds all before it by more than a millionth: Python's rule. */
  classOf(node: number): number {
    const weights = this.deciding(node);
    const total = sum(weights);
    return total >= 1e-6 ? this.said(Array.from(weights, (w) => w / total)) : 0;
  }

  /** The class that is said where the classes have these probabilities. */
  said(probabilities: readonly number[]): number {
    const worth = this.worth;
    if (!worth) return mostProbable(probabilities);
    return mostProbable(probabilities.map((_, k) => sum(probabilities.map((p, c) => p * worth[c][k]))));
  }

  /** Training weight that a node would get wrong as a leaf. */
  errors(node: number): number {
    const held = this.weightsOf(node);
    return sum(held) - held[this.classOf(node)];
  }

  /** Training weight that the leaves get wrong. */
  leafErrors(): number {
    let wrong = 0;
    for (let node = 0; node < this.nNodes; node++) if (this.isLeaf(node)) wrong += this.errors(node);
    return wrong;
  }

  /** The columns that the tree tests, in the table's order. */
  features(): number[] {
    const used = new Set<number>();
    for (const test of this.tests) if (test) for (const feature of tested(test)) used.add(feature);
    return [...used].sort((a, b) => a - b);
  }
}

export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

export function mostProbable(probabilities: ArrayLike<number>): number {
  let best = -1;
  let winner = 0;
  for (let k = 0; k < probabilities.length; k++) {
    if (probabilities[k] - best > 1e-6) {
      best = probabilities[k];
      winner = k;
    }
  }
  return winner;
}

/** What each answer saves beside the dearest one, the most being 1: probabilities times this choose what costs least. */
export function worthOf(costs: number[][] | undefined): number[][] | null {
  if (!costs) return null;
  const saved = costs.map((row) => row.map((cost) => Math.max(...row) - cost));
  const most = Math.max(1e-300, ...saved.flat());
  return saved.map((row) => row.map((value) => value / most));
}

/** The tree of a document whose root is a packed node. */
export class Unpacker {
  private readonly tests: Test[];
  private readonly firstChild: Int32Array;

  constructor(private readonly document: PageDocument) {
    this.tests = document.tests.map(unpackTest);
    const { test } = document.nodes;
    this.firstChild = new Int32Array(test.length + 1);
    for (let i = 0; i < test.length; i++) this.firstChild[i + 1] = this.firstChild[i] + this.branches(test[i]);
  }

  private branches(test: number): number {
    if (test < 0) return 0;
    const { kind, feature } = this.tests[test];
    return kind === BRANCHES ? (this.document.columns[feature].values?.length ?? 0) : 2;
  }

  /** For each packed node the leaves at or below it. */
  leaves(): Int32Array {
    const { test, children } = this.document.nodes;
    const found = new Int32Array(test.length);
    for (let i = 0; i < test.length; i++) {
      if (test[i] < 0) found[i] = 1;
      for (let c = this.firstChild[i]; c < this.firstChild[i + 1]; c++) found[i] += found[i - children[c]];
    }
    return found;
  }

  tree(root: number, laplace: boolean, learner: string): Tree {
    const { nodes, weights, classes } = this.document;
    const k = classes.length;
    const order = [root];
    const firstChild: number[] = [];
    const nChildren: number[] = [];
    for (let at = 0; at < order.length; at++) {
      const packed = order[at];
      const from = this.firstChild[packed];
      const n = this.firstChild[packed + 1] - from;
      firstChild.push(n ? order.length : -1);
      nChildren.push(n);
      for (let i = 0; i < n; i++) order.push(packed - nodes.children[from + i]);
    }
    const held = (places: number[]): Float64Array => {
      const flat = new Float64Array(order.length * k);
      order.forEach((packed, node) => {
        for (let c = 0; c < k; c++) flat[node * k + c] = weights[places[packed] * k + c];
      });
      return flat;
    };
    const counts = held(nodes.counts);
    const bags = nodes.bags ? held(nodes.bags) : counts;
    return new Tree(
      {
        tests: order.map((packed) => (nodes.test[packed] < 0 ? null : this.tests[nodes.test[packed]])),
        firstChild: Int32Array.from(firstChild),
        nChildren: Int32Array.from(nChildren),
        missing: Int32Array.from(order, (packed) => nodes.missing?.[packed] ?? -1),
        empty: Uint8Array.from(order, (packed) => nodes.empty?.[packed] ?? 0),
        counts,
        bags,
      },
      k,
      laplace,
      learner,
      worthOf(this.document.costs),
    );
  }
}
