/** Context: what every part of the page can ask for. */

import type { Model } from "./model/model";
import type { Places } from "./model/places";
import type { Tree } from "./model/tree";
import type { State, Store } from "./state";
import type { Steered } from "./steer/edits";

export interface Context {
  model: Model;
  store: Store;
  places: Places;
  /** The tree that is shown. */
  tree: () => Tree;
  /** The edited tree, which is the unedited one while there are no edits. */
  steered: () => Steered;
  /** The case that is tried, as cells, or null while nothing was entered. */
  cells: () => number[] | null;
  /** What the shown tree looks like now, as a drawing of its own. */
  drawing: () => SVGSVGElement;
}

export interface Panel {
  element: HTMLElement;
  update: (changed: ReadonlySet<keyof State>) => void;
}
