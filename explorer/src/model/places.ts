/** Places: a number for each way of reaching a node, so that nodes of different trees can be told to be the same. */

import type { Tree } from "./tree";

/** Numbers that are equal exactly where the tests and branches above are. */
export class Places {
  private readonly known = new Map<string, number>();
  private readonly ofTree = new WeakMap<Tree, Int32Array>();

  /** For each node of a tree the number of its place; the root's is 0 in every tree. */
  of(tree: Tree): Int32Array {
    let places = this.ofTree.get(tree);
    if (!places) {
      places = new Int32Array(tree.nNodes);
      for (let node = 1; node < tree.nNodes; node++) {
        const parent = tree.parent[node];
        places[node] = this.number(`${places[parent]}|${tree.tests[parent]?.key}|${tree.branch(node)}`);
      }
      this.ofTree.set(tree, places);
    }
    return places;
  }

  private number(key: string): number {
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.known.size + 1;
      this.known.set(key, number);
    }
    return number;
  }
}

export interface Difference {
  /** Splits of the second tree that stand at the same place in the first. */
  kept: Set<number>;
  /** Splits of the second tree that the first has not. */
  added: number[];
  /** Splits of the first tree that the second has not. */
  lost: number[];
}

/** What a second tree has in common with a first one. */
export function difference(places: Places, first: Tree, second: Tree): Difference {
  const inFirst = splits(places, first);
  const inSecond = splits(places, second);
  const kept = new Set<number>();
  const added: number[] = [];
  for (const [key, node] of inSecond) {
    if (inFirst.has(key)) kept.add(node);
    else added.push(node);
  }
  const lost = [...inFirst].filter(([key]) => !inSecond.has(key)).map(([, node]) => node);
  return { kept, added, lost };
}

function splits(places: Places, tree: Tree): Map<string, number> {
  const found = new Map<string, number>();
  const at = places.of(tree);
  tree.tests.forEach((test, node) => {
    if (test) found.set(`${at[node]}|${test.key}`, node);
  });
  return found;
}
