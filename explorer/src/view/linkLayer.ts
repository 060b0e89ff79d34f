/** LinkLayer: the ways between boxes with their labels; only those that may be seen are drawn. */

import type { Box } from "./boxes";
import type { Placed } from "./layout";
import { type Link, drawLabel, drawRibbon } from "./ribbons";
import type { Scene } from "./scene";

export class LinkLayer {
  private readonly drawn = new Map<Link, (SVGGElement | null)[]>();

  constructor(
    private readonly ribbons: SVGGElement,
    private readonly labels: SVGGElement,
  ) {}

  clear(): void {
    this.drawn.clear();
    this.ribbons.replaceChildren();
    this.labels.replaceChildren();
  }

  /** Draw what comes into sight and take away what leaves it. */
  show(scene: Scene, all: readonly Link[], seen: (p: Placed) => boolean): void {
    const wanted = new Set(
      all.filter(({ parent, child }) => seen(parent) || seen(child) || crosses(parent, child, seen)),
    );
    for (const [link, parts] of this.drawn) {
      if (wanted.has(link)) continue;
      for (const part of parts) part?.remove();
      this.drawn.delete(link);
    }
    for (const link of wanted) {
      if (this.drawn.has(link)) continue;
      const ribbon = drawRibbon(scene, link);
      const label = drawLabel(scene, link);
      this.ribbons.append(ribbon);
      if (label) this.labels.append(label);
      this.drawn.set(link, [ribbon, label]);
    }
  }

  /** Let the ways to some boxes step back. */
  dim(steps: (box: Box) => boolean): void {
    for (const [{ child }, parts] of this.drawn) {
      const back = steps(child.box);
      for (const part of parts) part?.classList.toggle("cw-dim", back);
    }
  }
}

/** Whether the way between two boxes may be seen though neither is: they are far apart. */
function crosses(parent: Placed, child: Placed, seen: (p: Placed) => boolean): boolean {
  const x = Math.min(parent.x, child.x);
  const y = Math.min(parent.y, child.y);
  const width = Math.max(parent.x + parent.width, child.x + child.width) - x;
  const height = Math.max(parent.y + parent.height, child.y + child.height) - y;
  return seen({ ...parent, x, y, width, height });
}
