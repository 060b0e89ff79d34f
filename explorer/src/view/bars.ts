/** Bars: class mixes, distributions and influences as small pictures. */

import { s } from "../dom";
import type { Model } from "../model/model";
import type { Test } from "../model/tree";
import { termWords, visible } from "../model/wording";
import type { Distribution } from "./distribution";
import { cutPair } from "./measure";

/** Class weights side by side. */
export function mixBar(
  weights: ArrayLike<number>,
  colours: readonly string[],
  width: number,
  height: number,
): SVGGElement {
  const g = s("g", { class: "cw-mix" });
  let total = 0;
  for (let k = 0; k < weights.length; k++) total += weights[k];
  let x = 0;
  for (let k = 0; k < weights.length && total > 0; k++) {
    const w = (weights[k] / total) * width;
    if (w > 0.05) g.append(s("rect", { x: x.toFixed(2), y: 0, width: w.toFixed(2), height, fill: colours[k] }));
    x += w;
  }
  g.append(s("rect", { class: "cw-frame", x: 0, y: 0, width, height }));
  return g;
}

/** Bars stacked by class, with the cut as a line. */
export function histogram(found: Distribution, colours: readonly string[], width: number, height: number): SVGGElement {
  const g = s("g", { class: "cw-histogram" });
  const n = found.bars.length;
  if (!n || !(found.most > 0)) return g;
  const low = found.edges ? found.edges[0] : 0;
  const high = found.edges ? found.edges[n] : n + (found.cut ? 0.5 : 0);
  const x = (value: number): number => ((value - low) / (high - low || 1)) * width;
  const gap = n > 14 || found.edges ? 0.5 : 2;
  const paths = new Map<number, string>();
  found.bars.forEach((bar, i) => {
    const shift = !found.edges && found.cut !== null && i >= found.cut ? 0.5 : 0;
    const from = x(found.edges ? found.edges[i] : i + shift);
    const to = x(found.edges ? found.edges[i + 1] : i + 1 + shift);
    const wide = Math.max(to - from - gap, 0.6);
    let y = height;
    bar.forEach((weight, k) => {
      if (!(weight > 0)) return;
      const tall = (weight / found.most) * height;
      y -= tall;
      paths.set(
        k,
        `${paths.get(k) ?? ""}M${(from + gap / 2).toFixed(2)} ${y.toFixed(2)}h${wide.toFixed(2)}v${tall.toFixed(2)}h${(-wide).toFixed(2)}z`,
      );
    });
  });
  for (const [k, d] of paths) g.append(s("path", { d, fill: colours[k] }));
  g.append(s("path", { class: "cw-axis", d: `M0 ${height + 0.5}H${width}` }));
  if (found.cut !== null) {
    const at = found.edges ? x(found.cut) : x(found.cut + 0.25);
    g.append(s("path", { class: "cw-cut", d: `M${at.toFixed(2)} -3V${height + 4}` }));
    g.append(s("path", { class: "cw-cut-head", d: `M${at.toFixed(2)} ${height + 1}l-3.5 5.5h7z` }));
  }
  return g;
}

export interface Influence {
  name: string;
  /** The column, and of a term about a value the value. */
  about: [string] | [string, string];
  weight: number;
  /** Weight times spread: what a usual difference in the column, or in having the value, does to the sum. */
  pull: number;
}

export function influences(model: Model, test: Test): Influence[] {
  return test.features
    .map((column, i): Influence => {
      const [spec, weight, code] = [model.columns[column], test.weights[i], test.codes[i]];
      const spread = code < 0 ? spec.spread : spec.spreads?.[code];
      const about: Influence["about"] =
        code < 0 ? [visible(spec.name)] : [visible(spec.name), visible(spec.values?.[code])];
      return { ...termWords(spec, weight, code), about, pull: weight * (spread ?? 1) };
    })
    .sort((a, b) => Math.abs(b.pull) - Math.abs(a.pull));
}

/** Bars of influence around a middle line: to the right what raises the sum, to the left what lowers it. */
export function influenceBars(model: Model, test: Test, width: number, most: number): SVGGElement {
  const g = s("g", { class: "cw-influences" });
  const all = influences(model, test);
  const shown = all.slice(0, most);
  const largest = Math.max(...shown.map(({ pull }) => Math.abs(pull)), 1e-300);
  const names = width * (shown.some(({ about }) => about.length > 1) ? 0.68 : 0.56);
  const middle = names + 6 + (width - names - 6) / 2;
  const half = (width - names - 8) / 2;
  shown.forEach(({ about, pull }, i) => {
    const y = i * 15;
    const long = Math.max((Math.abs(pull) / largest) * half, 1);
    g.append(
      s("text", { class: "cw-small", x: names, y: y + 10, "text-anchor": "end" }, cutPair(about, names, 11)),
      s("rect", {
        class: pull < 0 ? "cw-pull-down" : "cw-pull-up",
        x: pull < 0 ? middle - long : middle,
        y: y + 2,
        width: long,
        height: 9,
      }),
    );
  });
  g.append(s("path", { class: "cw-axis", d: `M${middle} 0V${shown.length * 15}` }));
  if (all.length > most) {
    const rest = all.length - most;
    g.append(
      s("text", { class: "cw-small cw-faint", x: names, y: most * 15 + 10, "text-anchor": "end" }, `+ ${rest} more`),
    );
  }
  return g;
}
