/** Overview: a large tree from afar, one path for each class and one for all ways. */

import { s } from "../dom";
import type { Layout } from "./layout";
import type { Link } from "./ribbons";
import { type Scene, answerOf } from "./scene";

export function overview(scene: Scene, layout: Layout, links: readonly Link[]): SVGElement[] {
  const down = layout.direction === "down";
  const ways = links
    .map(({ parent, child }) =>
      down
        ? `M${(parent.x + parent.width / 2).toFixed(0)} ${(parent.y + parent.height).toFixed(0)}L${(child.x + child.width / 2).toFixed(0)} ${child.y.toFixed(0)}`
        : `M${(parent.x + parent.width).toFixed(0)} ${(parent.y + parent.height / 2).toFixed(0)}L${child.x.toFixed(0)} ${(child.y + child.height / 2).toFixed(0)}`,
    )
    .join("");
  const byClass = new Map<number, string[]>();
  for (const { box, x, y, width, height } of layout.placed) {
    const inner = !scene.tree.isLeaf(box.node);
    const key = inner ? -1 : answerOf(scene, box);
    const parts = byClass.get(key) ?? [];
    parts.push(`M${x.toFixed(0)} ${y.toFixed(0)}h${width.toFixed(0)}v${height.toFixed(0)}h${(-width).toFixed(0)}z`);
    byClass.set(key, parts);
  }
  const drawn: SVGElement[] = [s("path", { class: "cw-far-ways", d: ways })];
  for (const [key, parts] of byClass) {
    drawn.push(
      s("path", {
        class: key < 0 ? "cw-far-test" : "cw-far-leaf",
        d: parts.join(""),
        fill: key < 0 ? null : scene.model.colours[key],
      }),
    );
  }
  return drawn;
}
