/** Viewport: where to look at a drawing from: the whole of it, its root, or one of its boxes. */

import { type ZoomTransform, zoomIdentity } from "d3-zoom";
import type { Layout, Placed, Size } from "./layout";

export const MARGIN = 18;
export const MAP_MARGIN = 12;
export const ZOOM: [number, number] = [0.02, 3];
export const MAP_ZOOM = 400;
const LARGEST = 1.15;
/** The smallest scale at which words can be read. */
const READABLE = 0.8;
/** The smallest at which a whole tree is better than a part that is easy to read; in a small room. */
const WHOLE = 0.55;
const WHOLE_SMALL = 0.42;

function fitScale(layout: Layout, room: Size): number {
  return Math.min((room.width - 2 * MARGIN) / layout.width, (room.height - 2 * MARGIN - 6) / layout.height);
}

/** The whole drawing, however small. */
export function whole(layout: Layout, room: Size): ZoomTransform {
  if (layout.direction === "map") return zoomIdentity.translate(MAP_MARGIN, 0);
  const k = Math.max(ZOOM[0], Math.min(fitScale(layout, room), LARGEST));
  return zoomIdentity.translate((room.width - layout.width * k) / 2, (room.height - layout.height * k) / 2).scale(k);
}

/** The whole tree if it can be read then, else its root at a size that can. */
export function home(layout: Layout, room: Size, small: boolean): ZoomTransform {
  if (layout.direction === "map") return whole(layout, room);
  const fitting = fitScale(layout, room);
  const k = fitting >= (small ? WHOLE_SMALL : WHOLE) ? Math.min(fitting, LARGEST) : READABLE;
  const root = layout.placed[0];
  const middle = (start: number, long: number, space: number): number => space / 2 - (start + long / 2) * k;
  const wide = layout.width * k <= room.width - MARGIN;
  const tall = layout.height * k <= room.height - MARGIN;
  let x = (room.width - layout.width * k) / 2;
  let y = Math.max((room.height - layout.height * k) / 2, MARGIN);
  if (!wide) x = layout.direction === "right" ? MARGIN : middle(root.x, root.width, room.width);
  if (!tall) y = layout.direction === "down" ? MARGIN : middle(root.y, root.height, room.height);
  return zoomIdentity.translate(x, y).scale(k);
}

/** A box in sight, with as little movement as will do; the same transform if nothing has to move. */
export function revealed(placed: Placed, layout: Layout, now: ZoomTransform, room: Size): ZoomTransform {
  if (layout.direction === "map") {
    const wide = placed.width * now.k;
    const centre = placed.x + placed.width / 2;
    const at = centre * now.k + now.x;
    const k = wide < 30 ? Math.min((now.k * 60) / wide, MAP_ZOOM) : now.k;
    if (k === now.k && at >= 0 && at <= room.width) return now;
    return zoomIdentity.translate(room.width / 2 - centre * k, 0).scale(k);
  }
  const k = Math.max(now.k, 0.45);
  const shift = (from: number, long: number, space: number): number => {
    if (from < MARGIN) return MARGIN - from;
    return from + long > space - MARGIN ? space - MARGIN - from - long : 0;
  };
  const dx = shift(placed.x * k + now.x, placed.width * k, room.width);
  const dy = shift(placed.y * k + now.y, placed.height * k, room.height);
  return dx || dy || k !== now.k ? zoomIdentity.translate(now.x + dx, now.y + dy).scale(k) : now;
}

/** What part of the drawing is seen, in its own coordinates, with an edge around it. */
export function sight(now: ZoomTransform, room: Size): { left: number; right: number; top: number; bottom: number } {
  const { k, x, y } = now;
  const edge = 60 / k;
  return {
    left: -x / k - edge,
    right: (room.width - x) / k + edge,
    top: -y / k - edge,
    bottom: (room.height - y) / k + edge,
  };
}
