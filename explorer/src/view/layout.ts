/** Layout: where each box stands, downwards, to the right, or as a list. */

import { hierarchy, tree as tidyTree } from "d3-hierarchy";
import { type Box, inOrder } from "./boxes";

export type Direction = "down" | "right" | "list" | "map";

export interface Size {
  width: number;
  height: number;
}

/** A box with its upper left corner. */
export interface Placed extends Size {
  box: Box;
  x: number;
  y: number;
}

export interface Layout {
  direction: Direction;
  placed: Placed[];
  width: number;
  height: number;
}

export interface Gaps {
  /** Between neighbours of a level, and between two levels. */
  beside: number;
  between: number;
}

const INDENT = 18;

export function layout(root: Box, direction: Direction, size: (box: Box) => Size, gaps: Gaps): Layout {
  if (direction === "map") return asMap(root, size(root));
  return direction === "list" ? asList(root, size) : tidy(root, direction, size, gaps);
}

function asList(root: Box, size: (box: Box) => Size): Layout {
  let y = 0;
  let width = 0;
  const placed = inOrder(root).map((box) => {
    const here = { box, x: Math.min(box.depth, 24) * INDENT, y, ...size(box) };
    y += here.height;
    width = Math.max(width, here.x + here.width);
    return here;
  });
  return { direction: "list", placed, width, height: y };
}

/** Each box as wide as its share of the rows; `whole` is the size of the root. */
function asMap(root: Box, whole: Size): Layout {
  const placed: Placed[] = [];
  const stack = [{ box: root, x: 0, width: whole.width }];
  let deepest = 0;
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { box, x, width } = top;
    placed.push({ box, x, y: box.depth * whole.height, width, height: whole.height });
    deepest = Math.max(deepest, box.depth);
    const total = box.children.reduce((sum, child) => sum + child.weight, 0);
    let at = x;
    const below = box.children.map((child) => {
      const here = {
        box: child,
        x: at,
        width: total > 0 ? (child.weight / total) * width : width / box.children.length,
      };
      at += here.width;
      return here;
    });
    stack.push(...below.reverse());
  }
  return { direction: "map", placed, width: whole.width, height: (deepest + 1) * whole.height };
}

/** Reingold and Tilford's drawing, with boxes of different sizes; each level is as deep as its largest box. */
function tidy(root: Box, direction: Direction, size: (box: Box) => Size, gaps: Gaps): Layout {
  const down = direction === "down";
  const top = hierarchy(root, (box) => box.children);
  const sizes = new Map<Box, Size>();
  const deepest: number[] = [];
  top.each(({ data, depth }) => {
    const here = size(data);
    sizes.set(data, here);
    deepest[depth] = Math.max(deepest[depth] ?? 0, down ? here.height : here.width);
  });
  const breadth = (box: Box): number => (down ? sizes.get(box)!.width : sizes.get(box)!.height);
  tidyTree<Box>()
    .nodeSize([1, 1])
    .separation((a, b) => {
      const apart = a.parent === b.parent ? gaps.beside : gaps.beside * 1.3;
      return (breadth(a.data) + breadth(b.data)) / 2 + apart;
    })(top);
  const start: number[] = [0];
  for (let depth = 1; depth < deepest.length; depth++) {
    start[depth] = start[depth - 1] + deepest[depth - 1] + gaps.between;
  }
  let least = Infinity;
  let most = -Infinity;
  top.each((node) => {
    const half = breadth(node.data) / 2;
    least = Math.min(least, (node.x as number) - half);
    most = Math.max(most, (node.x as number) + half);
  });
  const placed: Placed[] = [];
  top.eachBefore((node) => {
    const here = sizes.get(node.data)!;
    const across = (node.x as number) - least - breadth(node.data) / 2;
    const along = start[node.depth];
    placed.push({ box: node.data, x: down ? across : along, y: down ? along : across, ...here });
  });
  const far = start[start.length - 1] + deepest[deepest.length - 1];
  return { direction, placed, width: down ? most - least : far, height: down ? far : most - least };
}
