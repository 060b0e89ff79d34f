/** Stepper: to the next smaller or larger tree, and back to the chosen one. */

import type { Context } from "./context";
import { fill, h } from "./dom";
import { icon } from "./icons";
import { plural } from "./model/wording";
import { button } from "./widgets";

export function drawStepper(context: Context, element: HTMLElement): void {
  const { model, store } = context;
  const { entry, edits } = store.state;
  const leaves = context.tree().nLeaves;
  const sizes = model.entries.map((one) => one.leaves);
  const smaller = Math.max(...sizes.filter((size) => size < leaves));
  const square = (name: string, label: string, to: number): HTMLButtonElement =>
    button(icon(name), () => store.set({ entry: to }), {
      class: "cw-button cw-square",
      "aria-label": label,
      disabled: to < 0,
    });
  const plain = (text: string, to: number): HTMLButtonElement =>
    button(text, () => store.set({ entry: to }), { class: "cw-button cw-plain" });
  const size = plural(leaves, "leaf", "leaves");
  fill(
    element,
    square("minus", "Fewer leaves", sizes.indexOf(smaller)),
    h("span", { class: "cw-step" }, entry < 0 ? `yours: ${size}` : size),
    square(
      "plus",
      "More leaves",
      sizes.findIndex((other) => other > leaves),
    ),
    entry !== model.document.chosen && plain("chosen", model.document.chosen),
    entry >= 0 && edits.length > 0 && plain("yours", -1),
  );
}
