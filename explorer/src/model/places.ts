/** Places: numbers for ways of reaching a node and for splits, equal in two trees where the rows are the same. */

import { THRESHOLD, type Tree } from "./tree";

interface Numbers {
  /** For each node the number of its place; the root's is 0 in every tree. */
  places: Int32Array;
  /** For each node the number of its split; -1 for a leaf. */
  splits: Int32Array;
}

/**
 * Two splits are the same if they stand at the same place and make the same test, or test the same column with cuts
 * between which no training row lies: then the class weights of their first branches are equal.
 */
export class Places {
  private readonly known = new Map<string, number>();
  private readonly ofTree = new WeakMap<Tree, Numbers>();
  private next = 1;

  of(tree: Tree): Int32Array {
    return this.numbers(tree).places;
  }

  splits(tree: Tree): Int32Array {
    return this.numbers(tree).splits;
  }

  private numbers(tree: Tree): Numbers {
    let found = this.ofTree.get(tree);
    if (found) return found;
    found = { places: new Int32Array(tree.nNodes), splits: new Int32Array(tree.nNodes).fill(-1) };
    const k = tree.nClasses;
    for (let node = 0; node < tree.nNodes; node++) {
      const test = tree.tests[node];
      if (!test) continue;
      const first = tree.firstChild[node];
      const keys = [`${found.places[node]}|${test.key}`];
      if (test.kind === THRESHOLD)
        keys.push(`${found.places[node]}|${test.feature}|${tree.bags.subarray(first * k, (first + 1) * k).join()}`);
      found.splits[node] = this.number(keys);
      for (const child of tree.children(node))
        found.places[child] = this.number([`${found.splits[node]}>${child - first}`]);
    }
    this.ofTree.set(tree, found);
    return found;
  }

  /** One number for what has any of the keys. */
  private number(keys: readonly string[]): number {
    const old = keys.map((key) => this.known.get(key)).find((number) => number !== undefined);
    const number = old ?? this.next++;
    for (const key of keys) if (!this.known.has(key)) this.known.set(key, number);
    return number;
  }
}

export interface Difference {
  /** Splits of the second tree that the first has too, each with the node there. */
  kept: Map<number, number>;
  /** Splits of the second tree that the first has not. */
  added: number[];
  /** Splits of the first tree that the second has not. */
  lost: number[];
}

/** What a second tree has in common with a first one. */
export function difference(places: Places, first: Tree, second: Tree): Difference {
  const nodes = (tree: Tree): Map<number, number> => {
    const found = new Map<number, number>();
    places.splits(tree).forEach((split, node) => {
      if (split >= 0) found.set(split, node);
    });
    return found;
  };
  const [inFirst, inSecond] = [nodes(first), nodes(second)];
  const kept = new Map<number, number>();
  const added: number[] = [];
  for (const [split, node] of inSecond) {
    const other = inFirst.get(split);
    if (other === undefined) added.push(node);
    else kept.set(node, other);
  }
  const lost = [...inFirst].filter(([split]) => !inSecond.has(split)).map(([, node]) => node);
  return { kept, added, lost };
}
