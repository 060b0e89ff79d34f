/** Arrange: a tree's boxes in their places, and the direction that suits them. */

import { type Folding, boxes } from "./boxes";
import { cardSize } from "./cards";
import { type Direction, type Layout, layout } from "./layout";
import type { Scene } from "./scene";

const BETWEEN = { down: 50, right: 52, list: 0, map: 0 };
/** To the right, the words on a way stand above its box. */
const BESIDE = { down: 14, right: 26, list: 0, map: 0 };

export function arrange(scene: Scene, folding: Folding): Layout {
  return layout(boxes(scene.tree, folding), scene.direction, (box) => cardSize(scene, box), {
    beside: BESIDE[scene.direction],
    between: BETWEEN[scene.direction],
  });
}

/** Downwards where that can be read in the room there is, else to the right; a list where the room is narrow. */
export function suitable(scene: Scene, folding: Folding, width: number, height: number): Direction {
  if (width < 480) return "list";
  if (scene.tree.nLeaves > (4 * width) / 100 && !folding.folded.size) return "right"; // wider than any screen, without a trial
  const down = arrange({ ...scene, direction: "down" }, folding);
  return down.width * 0.68 <= width && down.height * 0.6 <= height ? "down" : "right";
}
