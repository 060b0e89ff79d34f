/** Cards: a box of the tree as a small picture with words. */

import { s } from "../dom";
import { LINEAR, tested } from "../model/tree";
import { conditionWords, count, percent, plural } from "../model/wording";
import { histogram, influenceBars, mixBar } from "./bars";
import type { Box } from "./boxes";
import type { Placed, Size } from "./layout";
import { cut, textWidth, wrapped } from "./measure";
import { type Scene, answerOf, boxTitle, distributionOf, rightShare, rowsWords, spoken, wayIntoBox } from "./scene";

const TEST = 172;
const LEAF_DOWN = 122;
const PAD = 10;
const LINE = 15;
const MOST_TERMS = 4;
/** Below this width a line of the list takes two. */
const NARROW = 520;

const isTest = (scene: Scene, box: Box): boolean =>
  !scene.tree.isLeaf(box.node) && !box.folded && box.members.length === 1;

export function cardSize(scene: Scene, box: Box): Size {
  const { direction, room } = scene;
  if (direction === "list")
    return {
      width: Math.max(room.width - 14 - Math.min(box.depth, 24) * 18, 150),
      height: room.width < NARROW ? 52 : 34,
    };
  if (direction === "map")
    return { width: room.width - 24, height: Math.min(Math.max((room.height - 24) / (scene.tree.height + 1), 4), 46) };
  const more = (nameLines(scene, box).length - 1) * LINE;
  if (!isTest(scene, box))
    return direction === "down" ? { width: LEAF_DOWN, height: 56 + more } : { width: TEST, height: 42 + more };
  const test = scene.tree.tests[box.node]!;
  if (test.kind === LINEAR) {
    const terms = Math.min(test.features.length, MOST_TERMS);
    return { width: TEST, height: 30 + terms * 15 + (test.features.length > MOST_TERMS ? 14 : 0) + 20 + more };
  }
  return { width: TEST, height: (scene.detail && hasPicture(scene, box) ? 86 : 46) + more };
}

/** What a card is called, on a line or two. */
function nameLines(scene: Scene, box: Box): string[] {
  const test = scene.tree.tests[box.node];
  if (isTest(scene, box)) {
    const name = test?.kind === LINEAR ? `sum of ${plural(tested(test).length, "feature")}` : boxTitle(scene, box);
    return wrapped(name, TEST - 2 * PAD - 14, TEST - 2 * PAD, 13, true);
  }
  const name = scene.model.classes[answerOf(scene, box)];
  const text = box.folded ? `${plural(scene.tree.leavesBelow[box.node], "leaf", "leaves")} · ${name}` : name;
  if (scene.direction === "down")
    return wrapped(text, LEAF_DOWN - 2 * PAD - (isMarked(box) ? 12 : 0), LEAF_DOWN - 2 * PAD, 13, true);
  const { rows, share } = figures(scene, box);
  return wrapped(text, TEST - 2 * PAD - textWidth(rows, 11) - textWidth(share, 11) - 16, TEST - 2 * PAD, 13, true);
}

/** Whether a card that answers has a mark that unfolds it. */
const isMarked = (box: Box): boolean => box.folded || box.members.length > 1;

/** The figures at the right of an answer. */
function figures(scene: Scene, box: Box): { rows: string; share: string } {
  if (!(box.weight > 0)) return { rows: "no rows", share: "" };
  return { rows: count(box.weight), share: isMarked(box) ? "  " : percent(rightShare(scene, box)) };
}

function writeName(g: SVGGElement, lines: readonly string[]): void {
  lines.forEach((line, i) => g.append(s("text", { class: "cw-name", x: PAD, y: 19 + i * LINE }, line)));
}

function hasPicture(scene: Scene, box: Box): boolean {
  return (distributionOf(scene, box.node)?.most ?? 0) > 0;
}

/** The whole card, its corner at the origin. */
export function drawCard(scene: Scene, placed: Placed): SVGGElement {
  const { box, width, height } = placed;
  const kind = isTest(scene, box) ? "cw-test" : box.folded ? "cw-folded" : "cw-leaf";
  const g = s("g", { class: `cw-card ${kind}` });
  g.append(s("title", null, spoken(scene, box)));
  if (scene.direction === "list") return listLine(scene, placed, g);
  if (box.folded) g.append(s("rect", { class: "cw-stack", x: 4, y: 4, width, height, rx: 6 }));
  g.append(s("rect", { class: "cw-paper", width, height, rx: 6 }));
  if (kind === "cw-test") testCard(scene, placed, g);
  else answerCard(scene, placed, g);
  badges(scene, placed, g);
  g.append(s("rect", { class: "cw-ring", x: -2, y: -2, width: width + 4, height: height + 4, rx: 8 }));
  return g;
}

function testCard(scene: Scene, { box, width, height }: Placed, g: SVGGElement): void {
  const test = scene.tree.tests[box.node]!;
  const room = width - 2 * PAD;
  const lines = nameLines(scene, box);
  const below = 28 + (lines.length - 1) * LINE;
  writeName(g, lines);
  let picture: SVGGElement | null = null;
  if (test.kind === LINEAR) picture = influenceBars(scene.model, test, room, MOST_TERMS);
  else {
    const found = scene.detail ? distributionOf(scene, box.node) : null;
    if (found && found.most > 0) picture = histogram(found, scene.model.colours, room, 32);
  }
  picture?.setAttribute("transform", `translate(${PAD} ${below})`);
  if (picture) g.append(picture);
  const words = rowsWords(box.weight);
  g.append(s("text", { class: "cw-small cw-faint", x: PAD, y: height - 8 }, words));
  const returns = scene.returns?.[box.node];
  if (returns !== null && returns !== undefined) stabilityBar(g, width, height, returns);
}

/** How often the split returns: a short bar and the share. */
function stabilityBar(g: SVGGElement, width: number, height: number, returns: number): void {
  const long = 26;
  const x = width - PAD - long;
  const level = returns >= 0.8 ? "high" : returns >= 0.5 ? "middle" : "low";
  g.append(
    s("text", { class: "cw-small cw-faint", x: x - 5, y: height - 8, "text-anchor": "end" }, percent(returns)),
    s("rect", { class: "cw-meter", x, y: height - 15, width: long, height: 6, rx: 3 }),
    s("rect", {
      class: `cw-level cw-level-${level}`,
      x,
      y: height - 15,
      width: Math.max(long * returns, 3),
      height: 6,
      rx: 3,
    }),
  );
}

function answerCard(scene: Scene, { box, width, height }: Placed, g: SVGGElement): void {
  const code = answerOf(scene, box);
  const colour = scene.model.colours[code];
  const room = width - 2 * PAD;
  const share = rightShare(scene, box);
  g.append(
    s("rect", {
      class: "cw-tint",
      width,
      height,
      rx: 6,
      fill: colour,
      "fill-opacity": (0.08 + 0.2 * share).toFixed(2),
    }),
  );
  const lines = nameLines(scene, box);
  writeName(g, lines);
  const bar = mixBar(box.weights, scene.model.colours, room, 7);
  bar.setAttribute("transform", `translate(${PAD} ${26 + (lines.length - 1) * LINE})`);
  if (scene.direction === "down") {
    g.append(s("text", { class: "cw-small cw-faint", x: PAD, y: height - 9 }, rowsWords(box.weight)));
    if (box.weight > 0)
      g.append(s("text", { class: "cw-small", x: width - PAD, y: height - 9, "text-anchor": "end" }, percent(share)));
  } else {
    const { rows, share: right } = figures(scene, box);
    const end = width - PAD - textWidth(right, 11) - 8;
    g.append(
      s("text", { class: "cw-small cw-faint", x: end, y: 17, "text-anchor": "end" }, rows),
      s("text", { class: "cw-small", x: width - PAD, y: 17, "text-anchor": "end" }, right),
    );
  }
  g.append(bar);
  g.append(s("rect", { class: "cw-edge", width, height, rx: 6, stroke: colour }));
}

/** Small marks in the upper corners: fold, pin, the letter of a shared split. */
function badges(scene: Scene, { box, width }: Placed, g: SVGGElement): void {
  if (!scene.tree.isLeaf(box.node) || box.members.length > 1) {
    g.append(foldMark(box, width - 11, 11, 11));
  }
  const letter = scene.shared.get(box.node);
  if (letter) {
    g.append(
      s("g", { class: "cw-letter", transform: "translate(0 0)" }, [
        s("circle", { r: 9 }),
        s("text", { y: 4, "text-anchor": "middle" }, letter),
      ]),
    );
  }
  if (scene.pinned.has(box.node)) g.append(pinMark(letter ? 18 : 4, 2));
}

/** A chevron that folds or unfolds, with room for a finger. */
function foldMark(box: Box, x: number, y: number, radius: number): SVGGElement {
  const closed = box.folded || box.members.length > 1;
  return s("g", { class: "cw-fold", transform: `translate(${x} ${y})` }, [
    s("circle", { r: radius, class: "cw-touch" }),
    s("path", { class: "cw-chevron", d: closed ? "M-2.5 -4l4.5 4l-4.5 4" : "M-4 -2l4 4l4 -4" }),
  ]);
}

function pinMark(x: number, y: number): SVGPathElement {
  return s("path", {
    class: "cw-pin",
    d: "M-3 -9h6l-1 5l3 3v2h-4v6l-1 2l-1 -2v-6h-4v-2l3 -3z",
    transform: `translate(${x} ${y})`,
  });
}

/** One line of the list: the condition, then the answer or the next test, with the class mix at the end. */
function listLine(scene: Scene, { box, width, height }: Placed, g: SVGGElement): SVGGElement {
  const two = scene.room.width < NARROW;
  const bar = two ? 64 : 72;
  const [first, second] = two ? [19, 38] : [height / 2 + 3, height / 2 + 3];
  const way = wayIntoBox(scene, box);
  const answer = scene.tree.isLeaf(box.node) || box.folded || box.members.length > 1;
  const rows = box.weight > 0 ? `${count(box.weight)} · ${percent(rightShare(scene, box))}` : "no rows";
  const right = textWidth(rows, 11) + bar + 22;
  const code = answerOf(scene, box);
  g.append(s("rect", { class: "cw-paper cw-line", width, height: height - 3, rx: 5 }));
  if (!scene.tree.isLeaf(box.node) || box.members.length > 1) g.append(foldMark(box, 13, first - 4.5, 14));
  else
    g.append(
      s("rect", {
        x: 9,
        y: first - 9,
        width: 9,
        height: 9,
        rx: 2,
        fill: scene.model.colours[code],
        class: "cw-swatch",
      }),
    );
  const x = 28;
  const said = way ? conditionWords(way, scene.model.columns, 3) : "all rows";
  const folded = box.folded ? ` (${plural(scene.tree.leavesBelow[box.node], "leaf", "leaves")})` : "";
  const name = answer ? scene.model.classes[code] + folded : "";
  const room = Math.max(width - x - (two ? 8 : right), 40);
  const nameWidth = two ? width - x - right - 18 : Math.min(textWidth(name, 13, true), room * 0.45);
  const words = cut(said, two || !name ? room : room - nameWidth - 18, 13);
  g.append(s("text", { class: "cw-words", x, y: first }, words));
  if (name) {
    const at = two ? x : x + textWidth(words, 13) + 6;
    g.append(
      s("text", { class: "cw-words cw-faint", x: at, y: second }, "→"),
      s("text", { class: "cw-name", x: at + 18, y: second }, cut(name, nameWidth + 2, 13, true)),
    );
  }
  const mix = mixBar(box.weights, scene.model.colours, bar, 8);
  mix.setAttribute("transform", `translate(${width - bar - 8} ${second - 8.5})`);
  g.append(
    mix,
    s("text", { class: "cw-small cw-faint", x: width - bar - 16, y: second - 0.5, "text-anchor": "end" }, rows),
  );
  if (scene.pinned.has(box.node)) g.append(pinMark(2, first - 3));
  g.append(s("rect", { class: "cw-ring", x: -1, y: -1, width: width + 2, height: height - 1, rx: 6 }));
  return g;
}
