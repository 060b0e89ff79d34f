/** Compare panel: what two trees share, and the rows on which they disagree, as rules. */

import type { Context, Panel } from "../context";
import { fill, h } from "../dom";
import { type Disagreement, compare, possible } from "../model/comparing";
import { difference } from "../model/places";
import type { Tree } from "../model/tree";
import { conditionWords, count, listed, percent, plural } from "../model/wording";
import { chip, choice } from "../widgets";

const MOST = 40;

export function comparePanel(context: Context): Panel {
  const { model, store } = context;
  const element = h("div", { class: "cw-panel" });

  const picker = (): HTMLElement => {
    const entries =
      model.entries.length > 400
        ? model.entries.filter(({ index }) => index % Math.ceil(model.entries.length / 400) === 0)
        : model.entries;
    const options: [string, string][] = [
      ["-1", "choose a tree to compare with"],
      ...entries
        .filter(({ index }) => index !== store.state.entry)
        .map((e) => [String(e.index), `${plural(e.leaves, "leaf", "leaves")}, ${e.learner}`] as [string, string]),
    ];
    return h(
      "div",
      { class: "cw-controls" },
      choice("Compare with", options, String(store.state.other), (value) => store.set({ other: Number(value) })),
    );
  };

  const item = ({ conditions, answers, weight, right, rows }: Disagreement): HTMLElement =>
    h(
      "li",
      { class: "cw-rule" },
      h(
        "span",
        { class: "cw-premise" },
        conditions.length
          ? conditions.map((one) => conditionWords(one, model.columns, 5)).join(" and ")
          : "Rows without a tested value",
      ),
      h(
        "span",
        { class: "cw-conclusion" },
        "this tree ",
        chip(model, answers[0]),
        ", the other ",
        chip(model, answers[1]),
      ),
      rows.length > 0 &&
        h("span", { class: "cw-faint" }, `${plural(weight, "row")}: right ${count(right[0])} and ${count(right[1])}`),
    );

  const alsoShared = (first: Tree, second: Tree): string => {
    const theirs = new Set(second.features());
    const common = first.features().filter((feature) => theirs.has(feature));
    return common.length
      ? `Both test ${listed(
          common.map((feature) => model.name(feature)),
          5,
          "and",
        )}.`
      : "They test no feature in common.";
  };

  const draw = (): void => {
    const { other } = store.state;
    if (model.entries.length < 2 && store.state.entry >= 0) {
      fill(element, h("p", { class: "cw-note" }, "There is only one tree in this page."));
      return;
    }
    if (other < 0 || other === store.state.entry) {
      fill(element, picker());
      return;
    }
    const [first, second] = [context.tree(), model.tree(other)];
    const { kept, added, lost } = difference(context.places, first, second);
    const found = compare(model, first, second);
    const rules = found ? found.list : possible(model, first, second, MOST);
    fill(
      element,
      picker(),
      h(
        "p",
        null,
        `They share ${kept.size ? plural(kept.size, "split") : "no split"} at the same place; this tree has ${plural(lost.length, "split")} of its own, the other ${count(added.length)}. ${alsoShared(first, second)}`,
      ),
      found &&
        h(
          "p",
          null,
          `They agree on ${percent(1 - found.differing / found.weight)} of the rows and disagree on ${plural(found.differing, "row")}; on those this tree is right for ${count(found.right[0])}, the other for ${count(found.right[1])}.`,
        ),
      h("h3", null, found ? "Where they disagree" : "Where they could disagree"),
      rules.length
        ? h("ol", { class: "cw-rules" }, rules.slice(0, MOST).map(item))
        : h("p", { class: "cw-faint" }, found ? "Nowhere, on the rows of this page." : "Nowhere."),
      rules.length > MOST &&
        h("p", { class: "cw-faint" }, `and ${plural(rules.length - MOST, "more rule")} with fewer rows`),
    );
  };
  return { element, update: draw };
}
