/** FrontChart: every tree as a point, size against error; arrow keys move along it. */

import { scaleLinear, scaleLog } from "d3-scale";
import {
  line,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from "d3-shape";
import { fill, h, s } from "../dom";
import type { Entry, Model } from "../model/model";
import { plural, points } from "../model/wording";
import { Labels } from "./labels";

const SYMBOLS = [symbolCircle, symbolTriangle, symbolSquare, symbolDiamond, symbolWye, symbolCross, symbolStar];
const MARGIN = { top: 14, right: 14, bottom: 36, left: 46 };

/** A tree that is not in the document: the edited one. */
export interface Own {
  leaves: number;
  error: number;
}

const MOST_NAMED = 4;

export class FrontChart {
  readonly element: HTMLElement;
  private readonly svg: SVGSVGElement;
  private readonly key: HTMLElement;
  private readonly note: HTMLElement;
  private own: Own | null = null;
  private current = 0;
  private points: { entry: Entry; x: number; y: number }[] = [];

  constructor(
    private readonly model: Model,
    private readonly choose: (entry: number) => void,
  ) {
    this.svg = s("svg", { class: "cw-front-drawing", "aria-hidden": "true" });
    this.key = h("ul", { class: "cw-front-key", "aria-hidden": "true" });
    this.note = h("p", { class: "cw-front-note", "aria-hidden": "true" });
    this.element = h(
      "div",
      {
        class: "cw-front",
        role: "slider",
        tabindex: 0,
        "aria-label": "Trees by size",
        "aria-valuemin": 1,
        "aria-valuemax": model.entries.length,
      },
      this.svg,
      this.key,
      this.note,
    );
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.svg.addEventListener("click", (event) => {
      const near = this.nearest(event);
      if (near) this.choose(near.index);
    });
    this.svg.addEventListener("pointermove", (event) => this.say(this.nearest(event)));
    this.svg.addEventListener("pointerleave", () => this.say(null));
  }

  /** What is worth of an entry: held-out error where it is known. */
  static error(entry: Entry): number {
    return entry.cvError ?? entry.trainingError;
  }

  show(current: number, own: Own | null): void {
    this.current = current;
    this.own = own;
    const entry = this.model.entries[Math.max(current, 0)];
    this.element.setAttribute("aria-valuenow", String(Math.max(current, 0) + 1));
    this.element.setAttribute(
      "aria-valuetext",
      current < 0 && own ? `your tree, ${plural(own.leaves, "leaf", "leaves")}` : entryWords(entry),
    );
    this.draw();
    this.say(null);
  }

  draw(): void {
    const { entries, document } = this.model;
    const width = Math.max(this.element.clientWidth, 200);
    const height = Math.round(Math.min(Math.max(width * 0.66, 170), 240));
    const sizes = entries.map(({ leaves }) => leaves).concat(this.own ? [this.own.leaves] : []);
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    const wide = most > 40 && most / least > 8;
    const x = (wide ? scaleLog() : scaleLinear())
      .domain(wide ? [least, most * 1.08] : [least - 0.5, Math.max(most, least + 1) + 0.5])
      .range([MARGIN.left, width - MARGIN.right]);
    const shown = entries.flatMap(({ trainingError, cvError, cvHigh }) => [
      trainingError,
      cvError ?? 0,
      entries.length > 60 ? 0 : (cvHigh ?? 0),
    ]);
    // one leaf may be so far above the others that they could not be told apart
    const others = entries.filter(({ leaves }) => leaves > 1);
    const typical = Math.max(
      ...(others.length > 2 ? others : entries).map((e) => Math.max(FrontChart.error(e), e.trainingError)),
      0.01,
    );
    const lines = document.references.filter(({ error }) => error <= typical * 2.2);
    const top =
      Math.min(Math.max(...shown, ...lines.map(({ error }) => error), this.own?.error ?? 0, 0.01), typical * 2.2) *
      1.08;
    const ofLearner = new Map<string, number>();
    for (const { learner } of entries) ofLearner.set(learner, (ofLearner.get(learner) ?? 0) + 1);
    const drawn = entries.flatMap((e) => [
      FrontChart.error(e),
      ...((ofLearner.get(e.learner) ?? 0) > 1 ? [e.trainingError] : []),
      ...(e.cvLow === null || entries.length > 60 ? [] : [e.cvLow]),
    ]);
    const lowest = Math.min(...drawn, ...lines.map(({ error }) => error));
    const base = lowest > top * 0.4 ? Math.max(0, lowest - (top - lowest) * 0.35) : 0;
    const y = scaleLinear()
      .domain([base, top])
      .range([height - MARGIN.bottom, MARGIN.top]);
    const axis = s("g", { class: "cw-axes" });
    for (const tick of y.ticks(4)) {
      axis.append(
        s("path", { class: "cw-grid", d: `M${MARGIN.left} ${y(tick).toFixed(1)}H${width - MARGIN.right}` }),
        s(
          "text",
          { x: MARGIN.left - 6, y: y(tick) + 3.5, "text-anchor": "end" },
          `${Number((100 * tick).toFixed(2))} %`,
        ),
      );
    }
    const ticks = (x.ticks(Math.max(2, Math.floor(width / 55))) as number[]).filter(
      (t) => Number.isInteger(t) && (!wide || /^[125]0*$/.test(String(t))),
    );
    for (const tick of ticks)
      axis.append(s("text", { x: x(tick), y: height - MARGIN.bottom + 15, "text-anchor": "middle" }, String(tick)));
    axis.append(
      s("path", { class: "cw-axis", d: `M${MARGIN.left} ${height - MARGIN.bottom + 0.5}H${width - MARGIN.right}` }),
      s(
        "text",
        { x: (MARGIN.left + width - MARGIN.right) / 2, y: height - 5, "text-anchor": "middle" },
        "leaves (rules)",
      ),
    );
    this.place(x as (v: number) => number, y);
    const labels = new Labels({ left: MARGIN.left, right: width - 4, top: 2, bottom: height - MARGIN.bottom }, 11);
    for (const point of this.points.slice(0, 400)) {
      labels.avoid(point.x, point.y, 4);
      if (point.entry.cvError !== null) labels.avoid(point.x, y(point.entry.trainingError), 2);
    }
    this.drawKey(lines);
    const marks = this.marks(x as (v: number) => number, y, labels);
    fill(this.svg, axis, this.references(lines, y, width), this.curves(y), this.dots(), marks);
    this.svg.setAttribute("width", String(width));
    this.svg.setAttribute("height", String(height));
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /** Trees of one size stand beside each other. */
  private place(x: (leaves: number) => number, y: (error: number) => number): void {
    const ofSize = new Map<string, number>();
    const seen = new Map<string, number>();
    const key = (entry: Entry): string => `${entry.leaves}`;
    for (const entry of this.model.entries) ofSize.set(key(entry), (ofSize.get(key(entry)) ?? 0) + 1);
    this.points = this.model.entries.map((entry) => {
      const many = ofSize.get(key(entry)) ?? 1;
      const nth = seen.get(key(entry)) ?? 0;
      seen.set(key(entry), nth + 1);
      const room = Math.abs(x(entry.leaves + 0.5) - x(entry.leaves)) * 0.8;
      const shift = many > 4 ? room * (((nth * 0.618) % 1) * 2 - 1) : 0;
      return { entry, x: x(entry.leaves) + shift, y: y(FrontChart.error(entry)) };
    });
  }

  private references(lines: { error: number }[], y: (v: number) => number, width: number): SVGGElement {
    return s(
      "g",
      null,
      lines.map(({ error }) =>
        s("path", { class: "cw-reference", d: `M${MARGIN.left} ${y(error).toFixed(1)}H${width - MARGIN.right}` }),
      ),
    );
  }

  /** What the lines and marks mean. */
  private drawKey(lines: { name: string; error: number }[]): void {
    const sample = (kind: string): SVGSVGElement =>
      s("svg", { viewBox: "0 0 20 10" }, s("path", { class: kind, d: "M0 5H20" }));
    const { entries, document } = this.model;
    const held = entries.filter(({ cvError }) => cvError !== null).length > 1;
    const parts = lines.map(({ name, error }) => h("li", null, sample("cw-reference"), `${name} ${points(error)}`));
    if (held && entries.length <= 300)
      parts.unshift(
        h("li", null, sample("cw-held"), "cross-validated"),
        h("li", null, sample("cw-training"), "training"),
      );
    if (document.learners.length > 1) {
      document.learners.forEach((learner, i) => {
        const mark = s("path", {
          class: `cw-dot cw-dot-${i}`,
          d: symbol(SYMBOLS[i % SYMBOLS.length], 34)() ?? "",
          transform: "translate(10 5)",
        });
        parts.push(h("li", null, s("svg", { viewBox: "0 0 20 10" }, mark), learner));
      });
    }
    fill(this.key, parts);
  }

  /** The entries of one learner, the best of each size. */
  private series(learner: string): { entry: Entry; x: number; y: number }[] {
    const best = new Map<number, { entry: Entry; x: number; y: number }>();
    for (const point of this.points) {
      if (point.entry.learner !== learner) continue;
      const old = best.get(point.entry.leaves);
      if (!old || FrontChart.error(point.entry) < FrontChart.error(old.entry)) best.set(point.entry.leaves, point);
    }
    return [...best.values()];
  }

  private curves(y: (error: number) => number): SVGGElement {
    const g = s("g", { class: "cw-curves" });
    if (this.model.entries.length > 300) return g;
    if (this.points.length <= 60) {
      const whiskers = this.points
        .filter(({ entry }) => entry.cvLow !== null)
        .map(({ entry, x }) => `M${x.toFixed(1)} ${y(entry.cvLow!).toFixed(1)}V${y(entry.cvHigh!).toFixed(1)}`);
      g.append(s("path", { class: "cw-whiskers", d: whiskers.join("") }));
    }
    for (const learner of this.model.document.learners) {
      const mine = this.series(learner);
      if (mine.length < 2) continue;
      const held = mine.filter(({ entry }) => entry.cvError !== null);
      if (held.length > 1) {
        g.append(
          s("path", {
            class: "cw-held",
            d: line<{ x: number; y: number }>(
              (p) => p.x,
              (p) => p.y,
            )(held),
          }),
        );
      }
      g.append(
        s("path", {
          class: "cw-training",
          d: line<{ entry: Entry; x: number }>(
            (p) => p.x,
            (p) => y(p.entry.trainingError),
          )(mine),
        }),
      );
    }
    return g;
  }

  /** One path for each learner, however many trees there are. */
  private dots(): SVGGElement {
    const g = s("g", { class: "cw-dots" });
    const size = this.points.length > 300 ? 8 : this.points.length > 60 ? 16 : 34;
    this.model.document.learners.forEach((learner, i) => {
      const mark = symbol(SYMBOLS[i % SYMBOLS.length], size)() ?? "";
      const mine = this.points.filter(({ entry }) => entry.learner === learner);
      if (mine.length > 60) g.append(s("path", { class: `cw-dot cw-dot-${i}`, d: mine.map(disc).join("") }));
      else
        for (const p of mine)
          g.append(
            s("path", {
              class: `cw-dot cw-dot-${i}`,
              d: mark,
              transform: `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)})`,
            }),
          );
    });
    return g;
  }

  private marks(x: (v: number) => number, y: (v: number) => number, labels: Labels): SVGGElement {
    const g = s("g", { class: "cw-marks" });
    const { learners, chosen } = this.model.document;
    const label = (text: string, px: number, py: number, kind: string, far = 8): void => {
      const bold = kind === "cw-chosen-label";
      const spot = labels.place(text, labels.around(text, px, py, far, bold), bold);
      g.append(s("text", { class: kind, x: spot.x.toFixed(1), y: spot.y.toFixed(1) }, text));
    };
    const now = this.points[this.current];
    if (now) {
      const { cvLow, cvHigh } = now.entry;
      if (cvLow !== null && cvHigh !== null)
        g.append(
          s("path", {
            class: "cw-whisker",
            d: `M${now.x} ${y(cvLow)}V${y(cvHigh)}M${now.x - 4} ${y(cvLow)}h8M${now.x - 4} ${y(cvHigh)}h8`,
          }),
        );
      g.append(s("circle", { class: "cw-now", cx: now.x, cy: now.y, r: 6 }));
    }
    const best = this.points[chosen];
    if (best && this.points.length > 1) {
      g.append(s("circle", { class: "cw-chosen", cx: best.x, cy: best.y, r: 9.5 }));
      label("chosen", best.x, best.y, "cw-chosen-label", 12);
    }
    if (learners.length > 1) {
      for (const learner of learners) {
        const mine = this.series(learner);
        const last = mine[mine.length - 1];
        const training = last?.entry.cvError === null && this.points.some(({ entry }) => entry.cvError !== null);
        // of many learners the key tells the marks: their names would lie upon each other
        if (last && mine.length < 4 && (learners.length <= MOST_NAMED || training))
          label(training ? `${learner} (training error)` : learner, last.x, last.y, "cw-learner-label");
      }
    }
    if (this.own) {
      const px = x(this.own.leaves);
      const py = y(this.own.error);
      g.append(
        s("path", {
          class: this.current < 0 ? "cw-own cw-own-now" : "cw-own",
          d: symbol(symbolDiamond, 90)() ?? "",
          transform: `translate(${px} ${py})`,
        }),
      );
      label("yours", px, py, "cw-learner-label");
    }
    return g;
  }

  private nearest(event: MouseEvent): Entry | null {
    const bounds = this.svg.getBoundingClientRect();
    const [mx, my] = [event.clientX - bounds.left, event.clientY - bounds.top];
    let best: Entry | null = null;
    let least = Infinity;
    for (const { entry, x, y } of this.points) {
      const far = (x - mx) ** 2 + ((y - my) / 2.5) ** 2;
      if (far < least) [least, best] = [far, entry];
    }
    return best;
  }

  private say(entry: Entry | null): void {
    const shown = entry ?? this.model.entries[this.current] ?? null;
    this.note.textContent = shown
      ? entryWords(shown)
      : this.own
        ? `Your tree: ${plural(this.own.leaves, "leaf", "leaves")}, ${points(this.own.error)} training error`
        : "";
    this.note.classList.toggle("cw-faint", entry === null);
  }

  private pressed(event: KeyboardEvent): void {
    const { entries } = this.model;
    const now = Math.max(this.current, 0);
    const size = entries[now].leaves;
    const keys: Record<string, () => number> = {
      ArrowRight: () => entries.findIndex(({ leaves }) => leaves > size),
      ArrowLeft: () => {
        const smaller = Math.max(...entries.map(({ leaves }) => (leaves < size ? leaves : 0)));
        return entries.findIndex(({ leaves }) => leaves === smaller);
      },
      ArrowUp: () => (entries[now - 1]?.leaves === size ? now - 1 : -1),
      ArrowDown: () => (entries[now + 1]?.leaves === size ? now + 1 : -1),
      Home: () => 0,
      End: () => entries.length - 1,
    };
    const to = keys[event.key]?.();
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0) this.choose(to);
  }
}

function disc({ x, y }: { x: number; y: number }): string {
  return `M${x.toFixed(1)} ${y.toFixed(1)}m-1.8 0a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0`;
}

export function entryWords(entry: Entry): string {
  const held =
    entry.cvError === null
      ? ""
      : `${points(entry.cvError)} cross-validated error${entry.cvLow === null || entry.cvHigh === null ? "" : ` (${points(entry.cvLow)} to ${points(entry.cvHigh)})`}, `;
  return `${plural(entry.leaves, "leaf", "leaves")}, ${entry.learner}: ${held}${points(entry.trainingError)} training error`;
}
