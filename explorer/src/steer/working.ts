/** Working: a tree that can be changed, node by node, and what is fixed in it. */

import { type Test, Tree, sum } from "../model/tree";

export interface Working {
  test: Test | null;
  missing: number;
  children: Working[];
  counts: Float64Array;
  bag: Float64Array;
  empty: boolean;
  /** The test stays, whatever happens elsewhere. */
  pinned: boolean;
  /** A leaf that is to stay one. */
  stopped: boolean;
  /** Columns that may not be tested here or below. */
  forbidden: Set<number>;
}

export function leafOf(counts: Float64Array): Working {
  return {
    test: null,
    missing: -1,
    children: [],
    counts,
    bag: counts,
    empty: !(sum(counts) > 0),
    pinned: false,
    stopped: false,
    forbidden: new Set(),
  };
}

export function toWorking(tree: Tree): Working {
  const k = tree.nClasses;
  const made: Working[] = tree.tests.map((test, node) => ({
    test,
    missing: tree.missing[node],
    children: [],
    counts: tree.counts.slice(node * k, (node + 1) * k),
    bag: tree.bags.slice(node * k, (node + 1) * k),
    empty: Boolean(tree.empty[node]),
    pinned: false,
    stopped: false,
    forbidden: new Set(),
  }));
  made.forEach((one, node) => {
    one.children = tree.children(node).map((child) => made[child]);
  });
  return made[0];
}

/** The nodes breadth first: place i holds what node i of the tree will be. */
export function breadthFirst(root: Working): Working[] {
  const order = [root];
  for (let at = 0; at < order.length; at++) order.push(...order[at].children);
  return order;
}

export function toTree(root: Working, nClasses: number, laplace: boolean, learner: string, worth: Tree["worth"]): Tree {
  const order = breadthFirst(root);
  const firstChild = new Int32Array(order.length).fill(-1);
  let next = 1;
  order.forEach((one, node) => {
    if (!one.children.length) return;
    firstChild[node] = next;
    next += one.children.length;
  });
  const flat = (pick: (one: Working) => Float64Array): Float64Array => {
    const all = new Float64Array(order.length * nClasses);
    order.forEach((one, node) => all.set(pick(one), node * nClasses));
    return all;
  };
  return new Tree(
    {
      tests: order.map((one) => one.test),
      firstChild,
      nChildren: Int32Array.from(order, (one) => one.children.length),
      missing: Int32Array.from(order, (one) => one.missing),
      empty: Uint8Array.from(order, (one) => Number(one.empty)),
      counts: flat((one) => one.counts),
      bags: flat((one) => one.bag),
    },
    nClasses,
    laplace,
    learner,
    worth,
  );
}

/** The node at a path of branches; null where the tree has no such node. */
export function at(root: Working, path: readonly number[]): Working | null {
  let node: Working | undefined = root;
  for (const branch of path) node = node?.children[branch];
  return node ?? null;
}

export function nLeaves(root: Working): number {
  return breadthFirst(root).filter((one) => !one.children.length).length;
}

export function hasFixed(root: Working): boolean {
  return breadthFirst(root).some((one) => one.pinned || one.stopped || one.forbidden.size > 0);
}
