/** Model: the document with its trees, rows and names ready for use. */

import { Counted } from "./counting";
import type { ColumnSpec, DetailSpec, PageDocument, StabilitySpec } from "./document";
import { Router } from "./route";
import { Rows } from "./rows";
import { type Tree, Unpacker } from "./tree";
import { visible } from "./wording";

export interface Entry {
  index: number;
  learner: string;
  leaves: number;
  trainingError: number;
  cvError: number | null;
  cvLow: number | null;
  cvHigh: number | null;
}

export class Model {
  readonly columns: readonly ColumnSpec[];
  readonly classes: string[];
  readonly colours: readonly string[];
  readonly entries: Entry[];
  readonly rows: Rows | null;
  private readonly unpacker: Unpacker;
  private readonly trees = new Map<number, Tree>();
  private readonly counts = new WeakMap<Tree, Counted>();
  private readonly routers = new WeakMap<Tree, Router>();

  constructor(readonly document: PageDocument) {
    this.columns = document.columns;
    this.classes = document.classes.map(visible);
    this.colours = document.colours;
    this.rows = document.rows ? new Rows(document.rows, document.columns) : null;
    this.unpacker = new Unpacker(document);
    const leaves = this.unpacker.leaves();
    const { entries, learners } = document;
    this.entries = entries.tree.map((root, index) => ({
      index,
      learner: learners[entries.learner[index]],
      leaves: leaves[root],
      trainingError: entries.training_error[index],
      cvError: entries.cv_error[index],
      cvLow: entries.cv_low[index],
      cvHigh: entries.cv_high[index],
    }));
  }

  get target(): string {
    return visible(this.document.target);
  }

  name(column: number): string {
    return visible(this.columns[column].name);
  }

  tree(index: number): Tree {
    let tree = this.trees.get(index);
    if (!tree) {
      const { entries } = this.document;
      tree = this.unpacker.tree(entries.tree[index], Boolean(entries.laplace?.[index]), this.entries[index].learner);
      this.trees.set(index, tree);
    }
    return tree;
  }

  /** The page's rows sent down a tree; null in a page without rows. */
  counted(tree: Tree): Counted | null {
    if (!this.rows) return null;
    let counted = this.counts.get(tree);
    if (!counted) {
      counted = new Counted(tree, this.rows);
      this.counts.set(tree, counted);
    }
    return counted;
  }

  router(tree: Tree): Router {
    let router = this.routers.get(tree);
    if (!router) {
      router = new Router(tree);
      this.routers.set(tree, router);
    }
    return router;
  }

  stability(entry: number): StabilitySpec | null {
    return this.document.stability?.find((one) => one.entry === entry) ?? null;
  }

  details(entry: number): DetailSpec | null {
    return this.document.details?.find((one) => one.entry === entry) ?? null;
  }
}
