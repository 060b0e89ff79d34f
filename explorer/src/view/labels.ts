/** Labels: words put where they hide the least. */

import { textWidth } from "./measure";

interface Rect {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Spot {
  x: number;
  y: number;
}

/** Remembers what is drawn where, and finds room for words beside it. */
export class Labels {
  private readonly taken: Rect[] = [];

  constructor(
    private readonly bounds: Rect,
    private readonly size: number,
  ) {}

  /** A point that words should not hide. */
  avoid(x: number, y: number, radius: number): void {
    this.taken.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
  }

  /** Of some places for the left end of the base line the one that overlaps least; the first of equals. */
  place(text: string, spots: readonly Spot[], bold = false): Spot {
    const wide = textWidth(text, this.size, bold);
    let best = spots[0];
    let least = Infinity;
    for (const spot of spots) {
      const here = { left: spot.x, right: spot.x + wide, top: spot.y - this.size, bottom: spot.y + 2 };
      const outside =
        Math.max(0, this.bounds.left - here.left) +
        Math.max(0, here.right - this.bounds.right) +
        Math.max(0, this.bounds.top - here.top) +
        Math.max(0, here.bottom - this.bounds.bottom);
      const hidden = outside * 40 + this.taken.reduce((sum, one) => sum + overlap(one, here), 0);
      if (hidden < least - 1e-6) [least, best] = [hidden, spot];
    }
    this.taken.push({ left: best.x, right: best.x + wide, top: best.y - this.size, bottom: best.y + 2 });
    return best;
  }

  /** Places around a point. */
  around(text: string, x: number, y: number, far: number, bold = false): Spot[] {
    const wide = textWidth(text, this.size, bold);
    const spots: Spot[] = [];
    for (const rise of [0, 13, 26, 39]) {
      for (const up of [true, false]) {
        const base = up ? y - far + 2 - rise : y + far + this.size - 4 + rise;
        spots.push({ x: x + far - 3, y: base }, { x: x - far + 3 - wide, y: base }, { x: x - wide / 2, y: base });
      }
    }
    return spots;
  }
}

function overlap(a: Rect, b: Rect): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && tall > 0 ? wide * tall : 0;
}
