/** Stage: the tree as the state wants it drawn: what is folded, lit, found, compared. */

import type { Current } from "./current";
import type { Model } from "./model/model";
import { type Places, difference } from "./model/places";
import { type Tree, tested } from "./model/tree";
import type { Store } from "./state";
import { suitable } from "./view/arrange";
import { initialFolding } from "./view/boxes";
import type { Scene } from "./view/scene";
import { type Marks, TreeView } from "./view/treeView";

/** Up to so many leaves a tree is shown whole; of a larger one so many are shown at first. */
const SHOWN_WHOLE = 40;
const AT_FIRST = 24;
/** So many tests have room for distributions. */
const MOST_DETAILED = 26;

interface Folded {
  folded: Set<number>;
  opened: Set<number>;
}

export class Stage {
  readonly view: TreeView;
  readonly second: TreeView;
  /** Splits that the tree shown before had not. */
  fresh: ReadonlySet<number> = new Set();
  private readonly folding = new WeakMap<Tree, Folded>();
  /** A map has room for every leaf, so what is folded elsewhere is not folded there. */
  private readonly foldedMaps = new WeakMap<Tree, Folded>();

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    private readonly places: Places,
    private readonly current: Current,
    private readonly told: { folded: () => void; wheel: () => boolean },
  ) {
    const select = (node: number): void => store.set({ node: node === store.state.node ? -1 : node });
    const fold = (node: number, group: boolean): void => this.fold(node, group);
    this.view = new TreeView(places, { select, fold, wheel: told.wheel, small: () => this.comparing() }, "The tree");
    const still = { select: () => undefined, fold: () => undefined, wheel: told.wheel, small: () => true };
    this.second = new TreeView(places, still, "The tree that is compared with");
  }

  // -- folding --------------------------------------------------------------------------------

  folded(tree: Tree): Folded {
    const isMap = this.store.state.arrangement === "map";
    const kept = isMap ? this.foldedMaps : this.folding;
    let found = kept.get(tree);
    if (!found) kept.set(tree, (found = { folded: isMap ? new Set() : firstFolding(tree), opened: new Set() }));
    return found;
  }

  private fold(node: number, group: boolean): void {
    const { folded, opened } = this.folded(this.current.tree());
    const changed = group ? opened : folded;
    if (!changed.delete(node)) changed.add(node);
    this.draw(false);
    this.told.folded();
  }

  /** Show everything, or as much as at first; of a small tree, only its root's branches. */
  unfold(all: boolean): void {
    const tree = this.current.tree();
    const here = this.folded(tree);
    here.folded.clear();
    here.opened.clear();
    if (!all) {
      const inner = tree.tests.flatMap((test, node) => (test && node ? [node] : []));
      for (const node of tree.nLeaves > SHOWN_WHOLE ? firstFolding(tree) : inner) here.folded.add(node);
    }
    this.draw(true);
    this.told.folded();
  }

  /** Unfold what hides a node; whether anything was hidden. */
  uncover(node: number): boolean {
    const tree = this.current.tree();
    const { folded } = this.folded(tree);
    const above = tree.path(node).slice(0, -1);
    return above.filter((at) => folded.delete(at)).length > 0;
  }

  // -- drawing --------------------------------------------------------------------------------

  /** Distributions are shown if people want them, or while there is room for them. */
  detailed(tree = this.current.tree()): boolean {
    return this.store.state.detail ?? tree.nNodes - tree.nLeaves - this.folded(tree).folded.size <= MOST_DETAILED;
  }

  scene(
    tree = this.current.tree(),
    entry = this.store.state.entry,
    element = this.view.element,
    shared: ReadonlyMap<number, string> = new Map(),
  ): Scene {
    const { arrangement, stability } = this.store.state;
    const room = { width: element.clientWidth, height: element.clientHeight };
    const scene: Scene = {
      model: this.model,
      tree,
      entry,
      direction: "right",
      detail: this.detailed(tree),
      returns: stability && entry >= 0 ? (this.model.stability(entry)?.returns ?? null) : null,
      shared,
      pinned: entry < 0 ? this.pinned() : new Set(),
      fresh: this.fresh,
      room,
    };
    const chosen = arrangement === "auto" ? suitable(scene, this.folded(tree), room.width, room.height) : arrangement;
    return { ...scene, direction: chosen };
  }

  private pinned(): Set<number> {
    const steered = this.current.steered();
    const nodes = Array.from({ length: steered.tree.nNodes }, (_, node) => node);
    return new Set(nodes.filter((node) => steered.node(node).pinned || steered.node(node).stopped));
  }

  /** Whether a second tree is shown. */
  comparing(): boolean {
    const { tab, other, entry } = this.store.state;
    return tab === "compare" && other >= 0 && other !== entry;
  }

  /** Draw all; `home` moves to the root. */
  draw(home: boolean): void {
    const tree = this.current.tree();
    const letters = new Map<number, string>();
    if (this.comparing()) this.drawSecond(tree, letters);
    const { entry } = this.store.state;
    this.view.show(this.scene(tree, entry, this.view.element, letters), this.folded(tree), this.marks(), home);
  }

  /** Draw the other tree; splits that both have get the same letter. */
  private drawSecond(tree: Tree, letters: Map<number, string>): void {
    const { other: place } = this.store.state;
    const other = this.model.tree(place);
    const { kept } = difference(this.places, tree, other);
    const theirs = new Map<number, string>();
    const inOrder = [...kept.keys()].sort((a, b) => other.place[a] - other.place[b]);
    inOrder.forEach((node, i) => {
      const letter = i < 26 ? String.fromCharCode(65 + i) : String(i + 1);
      theirs.set(node, letter);
      letters.set(kept.get(node)!, letter);
    });
    const unmarked = { selected: -1, lit: null, found: null };
    this.second.show(this.scene(other, place, this.second.element, theirs), this.folded(other), unmarked, true);
  }

  /** Mark anew what is selected, lit and found. */
  mark(): void {
    this.view.mark(this.marks());
  }

  private marks(): Marks {
    const { node, search, tab } = this.store.state;
    return { selected: node, lit: this.lit(node, tab === "try"), found: search.trim() ? this.found() : null };
  }

  /** The nodes that a case meets, or the way to the selected node and all below it. */
  private lit(node: number, trying: boolean): Set<number> | null {
    const tree = this.current.tree();
    const cells = trying ? this.current.cells() : null;
    const lit = new Set<number>();
    if (cells) {
      this.model.router(tree).visit(
        (column) => cells[column],
        (at) => lit.add(at),
      );
      return lit;
    }
    if (node <= 0) return null;
    for (const above of tree.path(node)) lit.add(above);
    for (let below = node + 1; below < tree.nNodes; below++) if (tree.isBelow(below, node)) lit.add(below);
    return lit;
  }

  // -- searching ------------------------------------------------------------------------------

  /** The tests of features whose names hold what is searched for. */
  found(): Set<number> {
    const wanted = this.store.state.search.trim().toLowerCase();
    const matches = this.model.columns.map(
      (_, i) => wanted !== "" && this.model.name(i).toLowerCase().includes(wanted),
    );
    const nodes = new Set<number>();
    this.current.tree().tests.forEach((test, node) => {
      if (test && tested(test).some((column) => matches[column])) nodes.add(node);
    });
    return nodes;
  }

  /** Select the next of them in reading order. */
  nextFound(): void {
    const tree = this.current.tree();
    const nodes = [...this.found()].sort((a, b) => tree.place[a] - tree.place[b]);
    if (!nodes.length) return;
    const now = this.store.state.node;
    const next = nodes.find((node) => now < 0 || tree.place[node] > tree.place[now]) ?? nodes[0];
    this.store.set({ node: next });
  }
}

function firstFolding(tree: Tree): Set<number> {
  return tree.nLeaves > SHOWN_WHOLE ? initialFolding(tree, AT_FIRST) : new Set();
}
