/** Walking: what the keys do in a tree. */

import type { Tree } from "../model/tree";
import type { Box } from "./boxes";

export interface Walk {
  tree: Tree;
  boxes: readonly Box[];
  selected: number;
  select(node: number): void;
  /** Fold or unfold a box; a leaf is selected instead. */
  toggle(box: Box): void;
  zoom(factor: number): void;
  fit(): void;
}

/** Do what a key stands for; whether it stands for anything. */
export function walked(key: string, walk: Walk): boolean {
  const { tree } = walk;
  const order = [...walk.boxes].sort((a, b) => tree.place[a.node] - tree.place[b.node]);
  const now = order.find((box) => box.members.includes(walk.selected)) ?? order[0];
  const at = order.indexOf(now);
  const go = (box: Box | null | undefined): void => {
    if (box) walk.select(box.node);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => go(order[at + 1]),
    ArrowUp: () => go(order[at - 1]),
    ArrowLeft: () => go(now.parent),
    ArrowRight: () => (now.folded ? walk.toggle(now) : go(now.children[0])),
    Home: () => go(order[0]),
    End: () => go(order[order.length - 1]),
    Enter: () => walk.toggle(now),
    " ": () => walk.toggle(now),
    "+": () => walk.zoom(1.3),
    "=": () => walk.zoom(1.3),
    "-": () => walk.zoom(1 / 1.3),
    "0": () => walk.fit(),
  };
  keys[key]?.();
  return key in keys;
}
