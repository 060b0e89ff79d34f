/** Icons: a few strokes each. */

import { s } from "./dom";

const PATHS: Record<string, string> = {
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5",
  unfold: "M4 6l4-3.5l4 3.5M4 10l4 3.5l4-3.5",
  fold: "M4 2.5l4 3.5l4-3.5M4 13.5l4-3.5l4 3.5",
  down: "M8 2v4M3.5 13v-3.5h9v3.5M8 6v3.5",
  right: "M2 8h4M13 3.5h-3.5v9h3.5M6 8h3.5",
  list: "M3 4h10M5.5 8h7.5M5.5 12h7.5M3 8v4",
  map: "M2.5 3h11v3.3h-11zM2.5 6.3h6.5v3.3h-6.5zM9 6.3h4.5v6.7h-4.5zM2.5 9.6h3v3.4h-3z",
  bars: "M3 13v-4M6.5 13v-7M10 13v-10M13.5 13v-5",
  repeat: "M3 8a5 5 0 0 1 9-3M13 8a5 5 0 0 1-9 3M12.5 2v3.2h-3.2M3.5 14v-3.2h3.2",
  theme: "M8 2.5a5.5 5.5 0 0 0 0 11z",
  link: "M6.5 9.5l3-3M7 5l1.5-1.5a2.6 2.6 0 0 1 3.8 3.8l-1.5 1.5M9 11l-1.5 1.5a2.6 2.6 0 0 1-3.8-3.8l1.5-1.5",
};

export function icon(name: string): SVGSVGElement {
  return s(
    "svg",
    { class: `cw-icon cw-icon-${name}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    s("path", { d: PATHS[name] }),
    name === "theme" && s("circle", { cx: 8, cy: 8, r: 5.5 }),
  );
}
