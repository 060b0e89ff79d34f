/** Ribbons: the ways between boxes, as wide as the rows that take them and in the colours of their classes. */

import { s } from "../dom";
import type { Box } from "./boxes";
import type { Layout, Placed } from "./layout";
import { cut } from "./measure";
import { type Scene, branchLabel } from "./scene";

const WIDEST = { down: 46, right: 30, list: 0, map: 0 };
const LEAST = 1.2;
const MOST_BANDS = 6;

export interface Link {
  parent: Placed;
  child: Placed;
  /** Where the ribbon leaves the parent, from its middle; and how wide it is. */
  offset: number;
  width: number;
}

export function links(layout: Layout): Link[] {
  if (layout.direction === "map") return [];
  const place = new Map<Box, Placed>(layout.placed.map((placed) => [placed.box, placed]));
  const total = layout.placed[0]?.box.weight || 1;
  const widest = WIDEST[layout.direction];
  const found: Link[] = [];
  for (const parent of layout.placed) {
    const below = parent.box.children;
    const widths = below.map((child) => Math.max((child.weight / total) * widest, LEAST));
    let offset = -widths.reduce((a, b) => a + b, 0) / 2;
    below.forEach((child, i) => {
      found.push({ parent, child: place.get(child)!, offset: offset + widths[i] / 2, width: widths[i] });
      offset += widths[i];
    });
  }
  return found;
}

const f = (value: number): string => value.toFixed(1);

/** The thread from parent to child, moved sideways by `shift`. */
function curve({ parent, child, offset }: Link, direction: Layout["direction"], shift: number): string {
  if (direction === "down") {
    const [x0, x1] = [parent.x + parent.width / 2 + offset + shift, child.x + child.width / 2 + shift];
    const [y0, y1] = [parent.y + parent.height - 1, child.y + 1];
    return `M${f(x0)} ${f(y0)}C${f(x0)} ${f((y0 + y1) / 2)} ${f(x1)} ${f((y0 + y1) / 2)} ${f(x1)} ${f(y1)}`;
  }
  if (direction === "list") {
    const x = parent.x + 13;
    return `M${x} ${f(parent.y + parent.height - 4)}V${f(child.y + child.height / 2 - 1.5)}H${child.x}`;
  }
  const [y0, y1] = [parent.y + parent.height / 2 + offset + shift, child.y + child.height / 2 + shift];
  const [x0, x1] = [parent.x + parent.width - 1, child.x + 1];
  return `M${f(x0)} ${f(y0)}C${f((x0 + x1) / 2)} ${f(y0)} ${f((x0 + x1) / 2)} ${f(y1)} ${f(x1)} ${f(y1)}`;
}

/** A band between two threads: bands lie side by side and never on each other. */
function band(link: Link, direction: Layout["direction"], from: number, to: number): string {
  const there = curve(link, direction, from);
  const [start, ...turns] = curve(link, direction, to).slice(1).split("C");
  const back = turns[0].split(" ");
  const reversed = `L${back[4]} ${back[5]}C${back[2]} ${back[3]} ${back[0]} ${back[1]} ${start}`;
  return `${there}${reversed}Z`;
}

export function drawRibbon(scene: Scene, link: Link): SVGGElement {
  const g = s("g", { class: "cw-ribbon" });
  const { weights, weight } = link.child.box;
  const { direction } = scene;
  if (direction === "list" || !(weight > 0) || link.width <= LEAST) {
    g.append(s("path", { class: "cw-thread", d: curve(link, direction, 0), "stroke-width": LEAST }));
    return g;
  }
  const order = Array.from(weights.keys()).filter((k) => weights[k] > 0);
  const kept = new Set([...order].sort((a, b) => weights[b] - weights[a]).slice(0, MOST_BANDS));
  let at = -link.width / 2;
  let rest = 0;
  const add = (share: number, colour: string | null): void => {
    const d = band(link, direction, at, at + share * link.width);
    g.append(s("path", colour ? { d, fill: colour, stroke: colour } : { d, class: "cw-others" }));
    at += share * link.width;
  };
  for (const k of order) {
    if (kept.has(k)) add(weights[k] / weight, scene.model.colours[k]);
    else rest += weights[k];
  }
  if (rest > 0) add(rest / weight, null);
  return g;
}

/** The words on a ribbon: above the child. */
export function drawLabel(scene: Scene, { child }: Link): SVGGElement | null {
  if (scene.direction === "list") return null;
  const down = scene.direction === "down";
  const text = cut(branchLabel(scene, child.box), down ? Math.max(child.width + 8, 110) : child.width, 12);
  const x = down ? child.x + child.width / 2 : child.x + 3;
  return s(
    "g",
    { class: "cw-way" },
    s(
      "text",
      { class: "cw-label", x: f(x), y: f(child.y - (down ? 7 : 5)), "text-anchor": down ? "middle" : "start" },
      text,
    ),
  );
}
