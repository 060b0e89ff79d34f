/** Scene: everything that decides how a tree is drawn. */

import { type Condition, condition, wayInto } from "../model/conditions";
import type { Model } from "../model/model";
import type { Tree } from "../model/tree";
import { askedWords, conditionWords, count, percent, plural, subjectWords } from "../model/wording";
import type { Box } from "./boxes";
import type { Distribution } from "./distribution";
import { distribution } from "./distribution";
import type { Direction } from "./layout";

export interface Scene {
  model: Model;
  tree: Tree;
  /** The tree's place in the document; -1 for one that was edited. */
  entry: number;
  direction: Direction;
  /** Whether tests show the distribution of what they test. */
  detail: boolean;
  /** How often each split returns, by node; null where it is not known. */
  returns: readonly (number | null)[] | null;
  /** Splits that another tree shares, each with its letter. */
  shared: ReadonlyMap<number, string>;
  pinned: ReadonlySet<number>;
  fresh: ReadonlySet<number>;
  /** How much room there is: lines of the list and the map are as wide, the map is as tall. */
  room: { width: number; height: number };
}

const drawn = new WeakMap<Tree, Map<number, Distribution | null>>();

/** A node's distribution, worked out once. */
export function distributionOf(scene: Scene, node: number): Distribution | null {
  let known = drawn.get(scene.tree);
  if (!known) drawn.set(scene.tree, (known = new Map()));
  let found = known.get(node);
  if (found === undefined) known.set(node, (found = distribution(scene.model, scene.tree, node, scene.entry)));
  return found;
}

/** The condition by which a box is reached; several branches of a many-way test are one condition. */
export function wayIntoBox(scene: Scene, box: Box): Condition | null {
  if (!box.node) return null;
  const { tree, model } = scene;
  if (box.members.length === 1) return wayInto(tree, box.node, model.columns);
  const parent = tree.parent[box.node];
  const first = condition(tree.tests[parent]!, tree.branch(box.node), tree.missing[parent], model.columns);
  return { ...first, values: box.members.map((member) => tree.branch(member)) };
}

/** What a branch is labelled with: "≤ 0.8", or values. */
export function branchLabel(scene: Scene, box: Box): string {
  const way = wayIntoBox(scene, box);
  if (!way) return "";
  return askedWords(way, scene.model.columns, 4).replace(/^(= |in )/, "");
}

export function boxTitle(scene: Scene, box: Box): string {
  const test = scene.tree.tests[box.node];
  if (!test || box.members.length > 1) return scene.model.classes[answerOf(scene, box)];
  return test.features.length
    ? subjectWords(condition(test, 0, -1, scene.model.columns), scene.model.columns)
    : scene.model.name(test.feature);
}

export function answerOf(scene: Scene, box: Box): number {
  return scene.tree.classOf(box.node);
}

/** The share of the rows that have the box's answer. */
export function rightShare(scene: Scene, box: Box): number {
  return box.weight > 0 ? box.weights[answerOf(scene, box)] / box.weight : 0;
}

export function rowsWords(weight: number): string {
  return weight > 0 ? plural(weight, "row") : "no rows";
}

/** The box in one sentence, for a tooltip and for those who hear the page. */
export function spoken(scene: Scene, box: Box): string {
  const { model, tree } = scene;
  const way = wayIntoBox(scene, box);
  const start = way ? `${conditionWords(way, model.columns)}: ` : "All rows: ";
  const answer = model.classes[answerOf(scene, box)];
  const share = `${percent(rightShare(scene, box))} ${answer}`;
  const rows = rowsWords(box.weight);
  if (tree.isLeaf(box.node)) return `${start}leaf, predicts ${answer}, ${rows}${box.weight > 0 ? `, ${share}` : ""}`;
  const below = plural(tree.leavesBelow[box.node], "leaf", "leaves");
  const returns = scene.returns?.[box.node];
  const stable = returns === null || returns === undefined ? "" : `, returns in ${percent(returns)} of resamples`;
  return `${start}tests ${boxTitle(scene, box)}, ${rows}, ${share}, ${below} below${box.folded ? ", folded" : ""}${stable}`;
}

export function shareWords(scene: Scene, box: Box): string {
  return box.weight > 0 ? `${count(box.weight)} · ${percent(rightShare(scene, box))}` : "no rows";
}
