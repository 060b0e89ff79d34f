/** Widgets: buttons, choices, chips and tables that the panels share. */

import { h, s, softened } from "./dom";
import type { Model } from "./model/model";
import { percent } from "./model/wording";
import { mixBar } from "./view/bars";

export function button(
  text: string | Node,
  onclick: () => void,
  props: Record<string, unknown> = {},
): HTMLButtonElement {
  return h("button", { type: "button", class: "cw-button", onclick, ...props }, text);
}

export function choice<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  value: T,
  onchange: (value: T) => void,
  props: Record<string, unknown> = {},
): HTMLSelectElement {
  const select = h(
    "select",
    { "aria-label": label, class: "cw-choice", onchange: () => onchange(select.value as T), ...props },
    options.map(([key, text]) => h("option", { value: key }, text)),
  );
  select.value = value;
  return select;
}

/** A class with its colour. */
export function chip(model: Model, code: number): HTMLElement {
  const swatch = h("span", { class: "cw-swatch" });
  swatch.style.setProperty("background", model.colours[code]);
  return h("span", { class: "cw-chip" }, swatch, h("span", null, softened(model.classes[code])));
}

/** A picture of class weights, as wide as its place. */
export function mixPicture(model: Model, weights: ArrayLike<number>, width = 100, height = 8): SVGSVGElement {
  const svg = s("svg", {
    class: "cw-mix-picture",
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  svg.append(mixBar(weights, model.colours, width, height));
  return svg;
}

/** A share as a bar with its figure. */
export function meter(share: number, colour: string | null, text = percent(share)): HTMLElement {
  const bar = h("span", { class: "cw-bar" });
  bar.style.setProperty("width", `${(100 * Math.min(Math.max(share, 0), 1)).toFixed(1)}%`);
  if (colour) bar.style.setProperty("background", colour);
  return h(
    "span",
    { class: "cw-meter-row" },
    h("span", { class: "cw-track" }, bar),
    h("span", { class: "cw-figure" }, text),
  );
}

export function table(
  head: readonly string[],
  rows: readonly (string | number | Node)[][],
  caption: string,
  props: Record<string, unknown> = {},
): HTMLElement {
  return h(
    "div",
    { class: "cw-wide", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      props,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          head.map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((cells) =>
          h(
            "tr",
            null,
            cells.map((cell) => h("td", null, cell)),
          ),
        ),
      ),
    ),
  );
}

/** Put a text on the clipboard; whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "cw-offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const worked = document.execCommand("copy");
    area.remove();
    return worked;
  }
}

/** A button that copies and says so. */
export function copyButton(
  text: string,
  content: () => string,
  props: Record<string, unknown> = {},
): HTMLButtonElement {
  const made = button(
    text,
    () => {
      void copyText(content()).then((worked) => {
        made.textContent = worked ? "Copied" : "Not allowed";
        setTimeout(() => (made.textContent = text), 1200);
      });
    },
    props,
  );
  return made;
}

/** Hand a file to the person. */
export function download(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A file name from any title. */
export function fileStem(title: string): string {
  return (
    title
      .normalize("NFKD")
      .replace(/[^\w.-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .toLowerCase()
      .slice(0, 60) || "tree"
  );
}
