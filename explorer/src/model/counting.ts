/** Counting: which rows of the page reach which nodes of a tree, and what the counts there are. */

import { type Part, Router } from "./route";
import type { Rows } from "./rows";
import type { Tree } from "./tree";

export interface Member {
  row: number;
  share: number;
}

export class Counted {
  readonly router: Router;
  /** The leaf of each row; -1 for rows shared out over several. */
  readonly leaf: Int32Array;
  /** The leaves of the rows that are shared out. */
  readonly shared = new Map<number, Part[]>();
  readonly predicted: Int32Array;
  /** The weight of the rows that the tree gets wrong, and of those that have a class. */
  readonly wrong: number;
  readonly judged: number;

  constructor(
    readonly tree: Tree,
    readonly rows: Rows,
  ) {
    this.router = new Router(tree);
    this.leaf = new Int32Array(rows.n);
    this.predicted = new Int32Array(rows.n);
    const says = Int32Array.from({ length: tree.nNodes }, (_, node) => (tree.isLeaf(node) ? tree.classOf(node) : -1));
    let wrong = 0;
    let judged = 0;
    for (let row = 0; row < rows.n; row++) {
      const cell = (column: number): number => rows.cells[column][row];
      const leaf = this.router.leaf(cell);
      this.leaf[row] = leaf;
      if (leaf < 0) this.shared.set(row, this.router.parts(cell));
      this.predicted[row] = leaf < 0 ? this.router.predicted(cell) : says[leaf];
      if (rows.y[row] < 0) continue;
      judged += rows.weights[row];
      if (this.predicted[row] !== rows.y[row]) wrong += rows.weights[row];
    }
    this.wrong = wrong;
    this.judged = judged;
  }

  /** The rows at a node, with the share in which a row without a value is there. */
  members(node: number): Member[] {
    const from = this.tree.place[node];
    const to = this.tree.placeEnd[node];
    const found: Member[] = [];
    for (let row = 0; row < this.rows.n; row++) {
      const leaf = this.leaf[row];
      if (leaf >= 0) {
        const place = this.tree.place[leaf];
        if (place >= from && place < to) found.push({ row, share: 1 });
        continue;
      }
      let share = 0;
      for (const part of this.shared.get(row) ?? []) {
        const place = this.tree.place[part.node];
        if (place >= from && place < to) share += part.share;
      }
      if (share > 0) found.push({ row, share });
    }
    return found;
  }

  /** Class weights of the page's rows at every node, flat. */
  counts(): Float64Array {
    const k = this.tree.nClasses;
    const counts = new Float64Array(this.tree.nNodes * k);
    for (let row = 0; row < this.rows.n; row++) {
      const y = this.rows.y[row];
      if (y < 0) continue;
      const weight = this.rows.weights[row];
      const parts = this.leaf[row] >= 0 ? [{ node: this.leaf[row], share: 1 }] : (this.shared.get(row) ?? []);
      for (const { node, share } of parts) counts[node * k + y] += weight * share;
    }
    for (let node = this.tree.nNodes - 1; node > 0; node--) {
      const above = this.tree.parent[node] * k;
      for (let c = 0; c < k; c++) counts[above + c] += counts[node * k + c];
    }
    return counts;
  }
}
