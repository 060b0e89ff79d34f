/** Current: the tree and the case that the state speaks of. */

import type { Model } from "./model/model";
import type { Places } from "./model/places";
import type { Tree } from "./model/tree";
import { type State, type Store, TABS } from "./state";
import { type Edit, Steered, checkedEdits } from "./steer/edits";

export class Current {
  /** Set once, right after it is made: the store asks it before it changes. */
  store!: Store;
  private readonly known = new WeakMap<readonly Edit[], Steered>();

  constructor(
    private readonly model: Model,
    private readonly places: Places,
  ) {}

  /** The edited tree, which is the unedited one while there are no edits. */
  steered(state = this.store.state): Steered {
    const { base, edits, entry } = state;
    const from = entry >= 0 && !edits.length ? entry : base;
    let found = this.known.get(edits);
    if (!found || found.entry !== from) this.known.set(edits, (found = new Steered(this.model, from, edits)));
    return found;
  }

  tree(state = this.store.state): Tree {
    return state.entry < 0 ? this.steered(state).tree : this.model.tree(state.entry);
  }

  /** When the tree changes, the same place stays selected, if the new tree has it. */
  sameNode(next: State, before: State, changed: ReadonlySet<keyof State>): State {
    if (before.node < 0 || !(changed.has("entry") || changed.has("edits") || changed.has("base"))) return next;
    const place = this.places.of(this.tree(before))[before.node];
    return { ...next, node: this.places.of(this.tree(next)).indexOf(place) };
  }

  /** The case that is tried, as cells, or null while nothing was entered. */
  cells(): number[] | null {
    const { values } = this.store.state;
    if (!Object.keys(values).length) return null;
    return this.model.columns.map((column, i) => {
      const text = values[i];
      if (!column.values) return text === undefined ? NaN : Number(text);
      return text === undefined ? -1 : Math.min(Math.max(Math.trunc(Number(text)) || 0, 0), column.values.length - 1);
    });
  }
}

/** What an address says of trees and nodes that there are not is left out. */
export function sound(model: Model, start: State, given: Partial<State>): Partial<State> {
  const n = model.entries.length;
  const fits = (index: number | undefined): boolean =>
    index === undefined || (Number.isInteger(index) && index >= -1 && index < n);
  if (!fits(given.entry) || !fits(given.base) || !fits(given.other) || (given.base ?? 0) < 0) return {};
  if (given.tab && !TABS.includes(given.tab)) delete given.tab;
  if (given.entry === -1 && !given.edits?.length) delete given.entry;
  try {
    const edited = new Steered(model, given.base ?? start.base, checkedEdits(given.edits ?? [], model)).tree;
    const tree = given.entry === -1 ? edited : model.tree(given.entry ?? start.entry);
    const { node } = given;
    if (node !== undefined && !(Number.isInteger(node) && node >= -1 && node < tree.nNodes)) delete given.node;
    return given;
  } catch {
    return {};
  }
}
