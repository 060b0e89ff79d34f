/** Rules panel: one rule for each leaf, to sort, filter, copy and find in the tree. */

import type { Context, Panel } from "../context";
import { fill, h } from "../dom";
import { pythonLiteral, pythonWhere } from "../export/python";
import { DIALECTS, SqlWriter } from "../export/sql";
import { type Rule, type RuleOrder, rules, sorted } from "../model/rules";
import { conditionWords, count, percent, plural } from "../model/wording";
import { chip, choice, copyButton, mixPicture } from "../widgets";

const STEP = 60;
const ORDERS: [RuleOrder, string][] = [
  ["support", "most rows first"],
  ["confidence", "surest first"],
  ["class", "by class"],
  ["tree", "as in the tree"],
];

export function rulesPanel(context: Context): Panel {
  const { model, store } = context;
  let form = "text";
  let dialect = "postgres";
  let shown = STEP;
  const controls = h("div", { class: "cw-controls" });
  const list = h("ol", { class: "cw-rules" });
  const more = h("div", { class: "cw-more" });
  const element = h("div", { class: "cw-panel" }, controls, list, more);

  const wording = (rule: Rule): string => {
    if (form === "sql") return new SqlWriter(model.columns, dialect).where(rule.conditions);
    if (form === "python") return pythonWhere(rule.conditions, model.columns);
    return rule.conditions.map((one) => conditionWords(one, model.columns)).join(" and ") || "in every case";
  };
  const sentence = (rule: Rule): string => {
    if (form === "sql") return `${wording(rule)} -- ${model.classes[rule.code]}, ${plural(rule.support, "row")}`;
    if (form === "python") return `if ${wording(rule)}:\n    return ${pythonLiteral(model.document.classes[rule.code])}`;
    const rows = `(${plural(rule.support, "row")}, ${percent(rule.confidence)} of them)`;
    return `If ${wording(rule)} then ${model.target} is ${model.classes[rule.code]} ${rows}.`;
  };

  const kept = (): Rule[] => {
    const { only, order } = store.state;
    const all = sorted(rules(context.tree(), model.columns), order);
    return only < 0 ? all : all.filter(({ features }) => features.has(only));
  };

  const drawControls = (): void => {
    const features: [string, string][] = [["-1", "all features"], ...context.tree().features().map((f) => [String(f), model.name(f)] as [string, string])];
    const only = features.some(([key]) => key === String(store.state.only)) ? String(store.state.only) : "-1";
    fill(
      controls,
      choice("Order of the rules", ORDERS, store.state.order, (order) => store.set({ order })),
      choice("Only rules about", features, only, (value) => store.set({ only: Number(value) })),
      choice("Form of the rules", [["text", "as text"], ["sql", "as SQL"], ["python", "as Python"]], form, (value) => {
        form = value;
        draw();
      }),
      form === "sql" &&
        choice("SQL dialect", Object.entries(DIALECTS).map(([key, { name }]) => [key, name] as const), dialect, (value) => {
          dialect = value;
          draw();
        }),
      copyButton("Copy all", () => kept().map(sentence).join("\n"), { class: "cw-button cw-plain" }),
    );
  };

  const item = (rule: Rule): HTMLElement => {
    const tree = context.tree();
    const current = store.state.node === rule.leaf;
    const conditions = form === "text"
      ? rule.conditions.flatMap((one, i) => [i ? h("span", { class: "cw-and" }, " and ") : null, h("span", { class: "cw-condition" }, conditionWords(one, model.columns))])
      : [h("code", null, wording(rule))];
    return h(
      "li",
      { class: current ? "cw-rule cw-current" : "cw-rule" },
      h(
        "button",
        { type: "button", class: "cw-rule-main", "aria-current": current ? "true" : null, onclick: () => store.set({ node: current ? -1 : rule.leaf }) },
        h("span", { class: "cw-premise" }, rule.conditions.length ? conditions : "In every case"),
        h("span", { class: "cw-conclusion" }, h("span", { class: "cw-arrow", "aria-hidden": "true" }, "→ "), chip(model, rule.code)),
        h(
          "span",
          { class: "cw-rule-figures" },
          mixPicture(model, tree.weightsOf(rule.leaf)),
          h("span", { class: "cw-faint" }, `${count(rule.support)} of ${plural(tree.weight(0), "row")} · ${percent(rule.confidence)} right`),
        ),
      ),
      copyButton("Copy", () => sentence(rule), { class: "cw-button cw-plain cw-copy", "aria-label": `Copy the rule for ${model.classes[rule.code]}` }),
    );
  };

  const draw = (): void => {
    const found = kept();
    const at = found.findIndex(({ leaf }) => leaf === store.state.node);
    const until = Math.max(shown, at + 1);
    drawControls();
    fill(list, found.slice(0, until).map(item));
    const rest = found.length - until;
    fill(
      more,
      rest > 0 &&
        h("button", { type: "button", class: "cw-button", onclick: () => ((shown = until + STEP), draw()) }, `Show ${Math.min(rest, STEP)} more of ${rest}`),
      !found.length && h("p", { class: "cw-faint" }, "No rule tests this feature."),
    );
    if (at >= 0) list.children[at]?.scrollIntoView({ block: "nearest" });
  };

  return {
    element,
    update: (changed) => {
      if (changed.has("entry")) shown = STEP;
      draw();
    },
  };
}
