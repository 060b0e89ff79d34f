/** Rules panel: one rule for each leaf, to sort, filter, copy and find in the tree. */

import type { Context, Panel } from "../context";
import type { State } from "../state";
import { fill, h } from "../dom";
import { pythonLiteral, pythonWhere } from "../export/python";
import { DIALECTS, SqlWriter } from "../export/sql";
import type { ColumnSpec } from "../model/document";
import { type Rule, type RuleOrder, rules, sorted } from "../model/rules";
import type { Tree } from "../model/tree";
import { conditionWords, count, percent, plural } from "../model/wording";
import { chip, choice, copyButton, mixPicture } from "../widgets";

const STEP = 40;
const found = new WeakMap<Tree, Rule[]>();

/** A tree's rules, worked out once. */
function rulesOf(tree: Tree, columns: readonly ColumnSpec[]): Rule[] {
  let known = found.get(tree);
  if (!known) found.set(tree, (known = rules(tree, columns)));
  return known;
}

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
  const apart = h("ol", { class: "cw-rules cw-apart" });
  const list = h("ol", { class: "cw-rules" });
  const more = h("div", { class: "cw-more" });
  const element = h("div", { class: "cw-panel" }, controls, apart, list, more);

  const wording = (rule: Rule): string => {
    if (form === "sql") return new SqlWriter(model.columns, dialect).where(rule.conditions);
    if (form === "python") return pythonWhere(rule.conditions, model.columns);
    return rule.conditions.map((one) => conditionWords(one, model.columns)).join(" and ") || "in every case";
  };
  const sentence = (rule: Rule): string => {
    if (form === "sql") return `${wording(rule)} -- ${model.classes[rule.code]}, ${plural(rule.support, "row")}`;
    if (form === "python")
      return `if ${wording(rule)}:\n    return ${pythonLiteral(model.document.classes[rule.code])}`;
    const rows = `(${plural(rule.support, "row")}, ${percent(rule.confidence)} of them)`;
    return `If ${wording(rule)} then ${model.target} is ${model.classes[rule.code]} ${rows}.`;
  };

  const shownRules = (): Rule[] => {
    const { only, order } = store.state;
    const all = sorted(rulesOf(context.tree(), model.columns), order);
    return only < 0 ? all : all.filter(({ features }) => features.has(only));
  };

  const drawControls = (): void => {
    const features: [string, string][] = [
      ["-1", "all features"],
      ...context
        .tree()
        .features()
        .map((f) => [String(f), model.name(f)] as [string, string]),
    ];
    const only = features.some(([key]) => key === String(store.state.only)) ? String(store.state.only) : "-1";
    fill(
      controls,
      choice("Order of the rules", ORDERS, store.state.order, (order) => store.set({ order })),
      choice("Only rules about", features, only, (value) => store.set({ only: Number(value) })),
      choice(
        "Form of the rules",
        [
          ["text", "as text"],
          ["sql", "as SQL"],
          ["python", "as Python"],
        ],
        form,
        (value) => {
          form = value;
          draw();
        },
      ),
      form === "sql" &&
        choice(
          "SQL dialect",
          Object.entries(DIALECTS).map(([key, { name }]) => [key, name] as const),
          dialect,
          (value) => {
            dialect = value;
            draw();
          },
        ),
      copyButton("Copy all", () => shownRules().map(sentence).join("\n"), { class: "cw-button cw-plain" }),
    );
  };

  const item = (rule: Rule): HTMLElement => {
    const tree = context.tree();
    const conditions =
      form === "text"
        ? rule.conditions.flatMap((one, i) => [
            i ? h("span", { class: "cw-and" }, " and ") : null,
            h("span", { class: "cw-condition" }, conditionWords(one, model.columns)),
          ])
        : [h("code", null, wording(rule))];
    return h(
      "li",
      { class: "cw-rule", "data-leaf": rule.leaf },
      h(
        "button",
        {
          type: "button",
          class: "cw-rule-main",
          onclick: () => store.set({ node: store.state.node === rule.leaf ? -1 : rule.leaf }),
        },
        h("span", { class: "cw-premise" }, rule.conditions.length ? conditions : "In every case"),
        h(
          "span",
          { class: "cw-conclusion" },
          h("span", { class: "cw-arrow", "aria-hidden": "true" }, "→ "),
          chip(model, rule.code),
        ),
        h(
          "span",
          { class: "cw-rule-figures" },
          mixPicture(model, tree.weightsOf(rule.leaf)),
          h(
            "span",
            { class: "cw-faint" },
            `${plural(rule.support, "row")} (${percent(rule.share)}) · ${percent(rule.confidence)} right`,
          ),
        ),
      ),
      copyButton("Copy", () => sentence(rule), {
        class: "cw-button cw-plain cw-copy",
        "aria-label": `Copy the rule for ${model.classes[rule.code]}`,
      }),
    );
  };

  /** Mark the rule of the selected leaf; one that is not in the list so far stands above it. */
  const markSelected = (): void => {
    const leaf = store.state.node;
    const listed = [...list.children].some((one) => (one as HTMLElement).dataset.leaf === String(leaf));
    const rule =
      listed || leaf < 0 ? undefined : rulesOf(context.tree(), model.columns).find((one) => one.leaf === leaf);
    fill(apart, rule && item(rule));
    for (const one of [...apart.children, ...list.children] as HTMLElement[]) {
      const here = one.dataset.leaf === String(leaf);
      one.classList.toggle("cw-current", here);
      const main = one.querySelector(".cw-rule-main");
      if (here) main?.setAttribute("aria-current", "true");
      else main?.removeAttribute("aria-current");
      if (here) intoSight(element, one);
    }
  };

  const draw = (): void => {
    const kept = shownRules();
    drawControls();
    fill(list, kept.slice(0, shown).map(item));
    const rest = kept.length - shown;
    fill(
      more,
      rest > 0 &&
        h(
          "button",
          { type: "button", class: "cw-button", onclick: () => ((shown += STEP), draw()) },
          `Show ${Math.min(rest, STEP)} more of ${count(rest)}`,
        ),
      !kept.length && h("p", { class: "cw-faint" }, "No rule tests this feature."),
    );
    markSelected();
  };

  return {
    element,
    update: (changed) => {
      const other: (keyof State)[] = ["entry", "edits", "base", "order", "only"];
      if (changed.has("entry")) shown = STEP;
      if (!list.childElementCount || other.some((key) => changed.has(key))) draw();
      else if (changed.has("node")) markSelected();
    },
  };
}

/** Scroll a panel so that one of its parts is seen. */
function intoSight(panel: HTMLElement, part: HTMLElement): void {
  const [outer, inner] = [panel.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top) panel.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom)
    panel.scrollTop += Math.min(inner.bottom - outer.bottom + 8, inner.top - outer.top);
}
