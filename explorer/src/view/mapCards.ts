/** Map cards: a tree as bricks, each as wide as its rows, so that a tree of any size can be seen whole. */

import { s } from "../dom";
import { LINEAR, tested } from "../model/tree";
import { plural } from "../model/wording";
import { mixBar } from "./bars";
import type { Placed } from "./layout";
import { cut } from "./measure";
import { type Scene, answerOf, boxTitle, branchLabel, rightShare, spoken } from "./scene";

/** Narrower than this a box is not drawn; the strip of the box above shows its classes. */
export const NARROWEST = 2;
/** Narrower than this, boxes of a colour are drawn together. */
export const PLAIN = 12;

export function drawBrick(scene: Scene, { box, width, height }: Placed): SVGGElement {
  const leaf = scene.tree.isLeaf(box.node) || box.members.length > 1;
  const g = s("g", { class: `cw-card cw-brick ${leaf ? "cw-leaf" : box.folded ? "cw-folded" : "cw-test"}` });
  const code = answerOf(scene, box);
  const room = width - 10;
  const wide = Math.max(width - 1, 0.8);
  const tall = Math.max(height - (height > 12 ? 2 : 0.6), 1);
  g.append(
    s("title", null, spoken(scene, box)),
    s("rect", { class: "cw-paper", width: wide, height: tall, rx: width > 12 ? 3 : 0 }),
  );
  if (leaf) {
    const share = rightShare(scene, box);
    g.append(
      s("rect", {
        width: wide,
        height: tall,
        rx: width > 12 ? 3 : 0,
        fill: scene.model.colours[code],
        "fill-opacity": (0.25 + 0.5 * share).toFixed(2),
        class: "cw-tint",
      }),
    );
  }
  const thick = Math.min(6, tall / 2);
  const strip = mixBar(box.weights, scene.model.colours, wide, thick);
  strip.setAttribute("transform", `translate(0 ${tall - thick})`);
  g.append(strip);
  if (room > 22 && height >= 18) {
    const two = height >= 38;
    const test = scene.tree.tests[box.node];
    const linear = !leaf && test?.kind === LINEAR;
    const name = linear ? `sum of ${plural(tested(test).length, "feature")}` : boxTitle(scene, box);
    if (two && box.parent)
      g.append(s("text", { class: "cw-small cw-faint", x: 5, y: 12 }, cut(branchLabel(scene, box), room, 11)));
    g.append(
      s(
        "text",
        { class: "cw-small cw-strong", x: 5, y: two ? 26 : Math.min(14, height - 9) },
        cut(name, room, 11, true),
      ),
    );
  }
  g.append(s("rect", { class: "cw-ring", x: 0.5, y: 0.5, width: Math.max(wide - 1, 0.8), height: tall - 1, rx: 3 }));
  return g;
}

/** Narrow boxes, one path for each colour: too many to be elements of their own. */
export function drawNarrow(scene: Scene, narrow: readonly Placed[]): SVGPathElement[] {
  const paths = new Map<number, string[]>();
  for (const { box, x, y, width, height } of narrow) {
    const key = scene.tree.isLeaf(box.node) ? answerOf(scene, box) : -1;
    const wide = Math.max(width - 0.6, 0.8);
    const parts = paths.get(key) ?? [];
    parts.push(
      `M${x.toFixed(1)} ${y.toFixed(1)}h${wide.toFixed(1)}v${Math.max(height - (height > 12 ? 2 : 0.6), 1).toFixed(1)}h${(-wide).toFixed(1)}z`,
    );
    paths.set(key, parts);
  }
  return [...paths].map(([key, parts]) =>
    s("path", {
      class: key < 0 ? "cw-narrow" : "cw-narrow cw-far-leaf",
      d: parts.join(""),
      fill: key < 0 ? null : scene.model.colours[key],
    }),
  );
}
