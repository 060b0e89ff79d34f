/** Toolbar: find a feature, choose a direction, fold, zoom. */

import type { Context } from "./context";
import { fill, freshId, h } from "./dom";
import { icon } from "./icons";
import { plural } from "./model/wording";
import type { Arrangement, State } from "./state";
import { button } from "./widgets";

export interface ToolbarEvents {
  zoom: (factor: number) => void;
  fit: () => void;
  unfold: (all: boolean) => void;
  /** Whether distributions are shown. */
  detailed: () => boolean;
  /** Go to the next node that the search finds, and how many there are. */
  next: () => void;
  found: () => number;
}

export function toolbar(
  context: Context,
  events: ToolbarEvents,
): { element: HTMLElement; update: (changed: ReadonlySet<keyof State>) => void } {
  const { model, store } = context;
  const names = h("datalist", { id: freshId("names") });
  const input = h("input", {
    type: "search",
    class: "cw-search",
    placeholder: "Find feature",
    "aria-label": "Find a feature in the tree",
    list: names.id,
  });
  const found = h("span", { class: "cw-faint cw-found-count", "aria-live": "polite" });
  input.addEventListener("input", () => store.set({ search: input.value }));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") events.next();
    if (event.key === "Escape") store.set({ search: "" });
  });
  const square = (name: string, label: string, act: () => void): HTMLButtonElement =>
    button(icon(name), act, { class: "cw-button cw-square", "aria-label": label, title: label });
  const ways: [Arrangement, string, string][] = [
    ["down", "down", "Downwards"],
    ["right", "right", "To the right"],
    ["list", "list", "As a list"],
    ["map", "map", "As a map: as wide as its rows"],
  ];
  const directions = ways.map(([way, name, label]) =>
    square(name, label, () => store.set({ arrangement: store.state.arrangement === way ? "auto" : way })),
  );
  const bars = square("bars", "Distributions of the tested features", () => store.set({ detail: !events.detailed() }));
  const stable = model.document.stability?.length
    ? square("repeat", "How often splits return in resamples", () => store.set({ stability: !store.state.stability }))
    : null;
  const element = h(
    "div",
    { class: "cw-toolbar", role: "group", "aria-label": "Drawing" },
    h("span", { class: "cw-finder" }, input, names, found),
    h("span", { class: "cw-group", role: "group", "aria-label": "Direction" }, directions),
    h("span", { class: "cw-group" }, bars, stable),
    h(
      "span",
      { class: "cw-group" },
      square("unfold", "Unfold all", () => events.unfold(true)),
      square("fold", "Fold", () => events.unfold(false)),
    ),
    h(
      "span",
      { class: "cw-group cw-zooms" },
      square("minus", "Zoom out", () => events.zoom(1 / 1.3)),
      square("plus", "Zoom in", () => events.zoom(1.3)),
      square("fit", "Show the whole tree", events.fit),
    ),
  );

  const update = (changed: ReadonlySet<keyof State>): void => {
    const { search, arrangement, stability } = store.state;
    const tree = context.tree();
    if (document.activeElement !== input && input.getRootNode() instanceof Document && input.value !== search)
      input.value = search;
    else if (search === "" && changed.has("search")) input.value = "";
    if (changed.has("entry") || changed.has("edits") || !names.childElementCount)
      fill(
        names,
        tree.features().map((f) => h("option", { value: model.name(f) })),
      );
    const hits = events.found();
    found.textContent = search.trim() ? (hits ? plural(hits, "test") : "not tested") : "";
    ways.forEach(([way], i) => directions[i].setAttribute("aria-pressed", String(arrangement === way)));
    bars.setAttribute("aria-pressed", String(events.detailed()));
    stable?.setAttribute("aria-pressed", String(stability));
  };
  return { element, update };
}
