/** Edits: what a person wants otherwise, applied one after the other to a tree. */

import type { PackedTest } from "../model/document";
import type { Model } from "../model/model";
import { BRANCHES, Tree, tested, unpackTest } from "../model/tree";
import { type GrowOptions, errorsBelow, grow } from "./growing";
import { type NextBest, nextBest, nodeRows } from "./nextBest";
import { type Working, at, breadthFirst, leafOf, nLeaves, toTree, toWorking } from "./working";

/** The leaves below a test that is only tried, and below one that is taken: what can be grown at once. */
const MOST_TRIED = 24;
const MOST_GROWN = 120;

/** `at`: the branches from the root to the node. */
export type Edit =
  | { do: "test"; at: number[]; test: PackedTest }
  | { do: "prune"; at: number[] }
  | { do: "pin"; at: number[] }
  | { do: "unpin"; at: number[] }
  | { do: "forbid"; at: number[]; column: number };

/** The same edits, if they are such; an address can say anything. */
export function checkedEdits(edits: readonly unknown[], model: Model): Edit[] {
  const isNumber = (value: unknown, below: number): boolean =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < below;
  for (const edit of edits as Edit[]) {
    const known =
      ["test", "prune", "pin", "unpin", "forbid"].includes(edit?.do) &&
      Array.isArray(edit.at) &&
      edit.at.every((branch) => isNumber(branch, 1e6));
    if (!known) throw new Error("not an edit.");
    if (edit.do === "forbid" && !isNumber(edit.column, model.columns.length)) throw new Error("no such column.");
    if (edit.do !== "test") continue;
    const test = unpackTest(edit.test);
    if (!tested(test).every((column) => isNumber(column, model.columns.length))) throw new Error("no such column.");
    const fits = (column: number, i: number): boolean => {
      const { values } = model.columns[column];
      return values ? isNumber(test.codes[i], values.length) : test.codes[i] === -1;
    };
    if (!test.features.every(fits)) throw new Error("no such value.");
  }
  return edits as Edit[];
}

export interface Suggestion extends NextBest {
  /** Training errors of this test alone. */
  errorsAlone: number;
  /** The best subtree that is found below it: its errors and leaves. It takes a while; null without rows. */
  below: (() => { errors: number; leaves: number }) | null;
}

export class Steered {
  readonly root: Working;
  /** The tree after each edit; the first is the one that was started from. */
  readonly trees: Tree[];

  constructor(
    private readonly model: Model,
    readonly entry: number,
    readonly edits: readonly Edit[],
  ) {
    const original = model.tree(entry);
    this.root = toWorking(original);
    this.trees = [original];
    for (const edit of edits) {
      this.apply(edit);
      this.trees.push(this.flat());
    }
  }

  get original(): Tree {
    return this.trees[0];
  }

  get tree(): Tree {
    return this.trees[this.trees.length - 1];
  }

  private flat(): Tree {
    const { nClasses, laplace, learner, worth } = this.trees[0];
    return toTree(this.root, nClasses, laplace, `edited ${learner}`, worth);
  }

  /** The state of a node of the current tree. */
  node(node: number): Working {
    return at(this.root, this.path(node)) as Working;
  }

  /** The branches from the root to a node of the current tree. */
  path(node: number): number[] {
    return this.tree
      .path(node)
      .slice(1)
      .map((one) => this.tree.branch(one));
  }

  /** Columns that may not be tested at a node, by its own edits and those above it. */
  forbidden(path: readonly number[]): Set<number> {
    const found = new Set<number>();
    let node: Working | undefined = this.root;
    for (let depth = 0; node; depth++) {
      for (const column of node.forbidden) found.add(column);
      if (depth === path.length) break;
      node = node.children[path[depth]];
    }
    return found;
  }

  private apply(edit: Edit): void {
    const node = at(this.root, edit.at);
    if (!node) return;
    if (edit.do === "pin" || edit.do === "unpin") {
      node.pinned = edit.do === "pin" && node.test !== null;
      node.stopped = edit.do === "pin" && node.test === null;
    } else if (edit.do === "prune") {
      replace(node, leafOf(node.counts));
      node.stopped = true;
    } else if (edit.do === "test") {
      replace(node, this.regrown(edit.at, edit.test, Math.min(Math.max(nLeaves(node), 2), MOST_GROWN)));
      node.pinned = true;
    } else {
      node.forbidden.add(edit.column);
      this.withoutForbidden(node, edit.at);
    }
  }

  /** Regrow what tests a forbidden column, as far down as need be. */
  private withoutForbidden(node: Working, path: number[]): void {
    const forbidden = this.forbidden(path);
    const uses = node.test !== null && tested(node.test).some((column) => forbidden.has(column));
    if (uses && !node.pinned) {
      replace(node, this.regrown(path, null, Math.min(nLeaves(node), MOST_GROWN)));
      return;
    }
    node.children.forEach((child, branch) => this.withoutForbidden(child, [...path, branch]));
  }

  /** Whether nominal columns are to have a branch for each value: as the tree does it. */
  private get each(): boolean {
    return this.trees[0].tests.some((test) => test?.kind === BRANCHES);
  }

  private regrown(path: number[], first: PackedTest | null, budget: number): Working {
    const node = at(this.root, path) as Working;
    const rows = this.rowsAt(path);
    if (!rows) return this.fromCounts(node, path, first);
    return grow(this.model.rows as NonNullable<Model["rows"]>, rows, first, this.options(node, path, budget));
  }

  private options(node: Working, path: number[], maxLeaves: number): GrowOptions {
    const rows = this.rowsAt(path);
    const here = rows ? rows.rows.reduce((sum, row) => sum + rows.weights[row], 0) : 0;
    const held = node.counts.reduce((a, b) => a + b, 0);
    const scale = here > 0 && Math.abs(held / here - 1) > 1e-9 ? held / here : 1;
    return { nClasses: this.trees[0].nClasses, maxLeaves, each: this.each, forbidden: this.forbidden(path), scale };
  }

  private rowsAt(path: readonly number[]): ReturnType<typeof nodeRows> | null {
    const tree = this.flat();
    const counted = this.model.counted(tree);
    if (!counted || !this.model.rows) return null;
    let node = 0;
    for (const branch of path) node = tree.firstChild[node] + branch;
    return nodeRows(this.model.rows, counted.members(node));
  }

  /** Without rows: the listed test as a stump, or a leaf where none is known. */
  private fromCounts(node: Working, path: number[], first: PackedTest | null): Working {
    const forbidden = this.forbidden(path);
    const known = this.listed(path);
    const key = first && JSON.stringify(first);
    const found = key
      ? known.find((one) => JSON.stringify(one.packed) === key)
      : known.find((one) => !tested(unpackTest(one.packed)).some((column) => forbidden.has(column)));
    const stump = leafOf(node.counts);
    if (!found) return stump;
    stump.test = unpackTest(found.packed);
    stump.children = found.branches.map((counts) => leafOf(Float64Array.from(counts)));
    return stump;
  }

  /** The tests that the document lists for a node that is still as it was. */
  private listed(path: readonly number[]): NextBest[] {
    const details = this.model.details(this.entry);
    let node = 0;
    for (let depth = 0; depth < path.length; depth++) {
      const changed = at(this.root, path.slice(0, depth))?.test !== this.original.tests[node];
      if (changed || this.original.isLeaf(node)) return [];
      node = this.original.firstChild[node] + path[depth];
    }
    return (details?.candidates[node] ?? []).map(({ test, gain, branches }) => ({ packed: test, gain, branches }));
  }

  /** Other tests for a node of the current tree, with what each would cost. */
  suggestions(node: number, most = 8): Suggestion[] {
    const path = this.path(node);
    const here = this.node(node);
    const rows = this.rowsAt(path);
    const forbidden = this.forbidden(path);
    const asStump = (one: NextBest): number =>
      one.branches.reduce((sum, weights) => sum + weights.reduce((a, b) => a + b, 0) - Math.max(...weights), 0);
    if (!rows || !this.model.rows) {
      return this.listed(path)
        .filter((one) => !tested(unpackTest(one.packed)).some((column) => forbidden.has(column)))
        .map((one) => ({ ...one, errorsAlone: asStump(one), below: null }));
    }
    const options = this.options(here, path, Math.min(Math.max(nLeaves(here), 2), MOST_TRIED));
    const found = nextBest(this.model.rows, rows, options.nClasses, { each: this.each, most, forbidden });
    const data = this.model.rows;
    return found.map((one) => ({
      ...one,
      errorsAlone: asStump(one) * options.scale,
      below: () => {
        const grown = grow(data, rows, one.packed, options);
        return { errors: errorsBelow(grown), leaves: nLeaves(grown) };
      },
    }));
  }

  /** Whether anything at or below a node was fixed by an edit. */
  isFixed(node: number): boolean {
    return breadthFirst(this.node(node)).some((one) => one.pinned || one.stopped || one.forbidden.size > 0);
  }
}

/** Put another subtree into a node's place; what was said about the place itself stays. */
function replace(node: Working, by: Working): void {
  const { counts, bag, empty, forbidden } = node;
  Object.assign(node, by, { counts, bag, empty, forbidden });
}
