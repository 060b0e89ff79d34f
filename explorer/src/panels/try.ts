/** Try panel: a form for one case, the answer with its probabilities, and what would change it. */

import type { Context, Panel } from "../context";
import { fill, freshId, h } from "../dom";
import { type Alternative, alternatives } from "../model/changing";
import { condition } from "../model/conditions";
import { branchOf, planeSum } from "../model/route";
import { LINEAR, THRESHOLD, type Tree } from "../model/tree";
import { askedWords, cellWords, moment, number, percent, plural, subjectWords, visible } from "../model/wording";
import { button, chip, meter } from "../widgets";

const DAY = 86_400_000;

export function tryPanel(context: Context): Panel {
  const { model, store } = context;
  const answer = h("div", { class: "cw-answer", "aria-live": "polite" });
  const form = h("form", { class: "cw-form", onsubmit: (event: Event) => event.preventDefault() });
  const element = h("div", { class: "cw-panel" }, answer, form);
  let typing = false;
  let row = -1;

  const put = (column: number, text: string): void => {
    typing = true;
    row = -1;
    const values = { ...store.state.values };
    if (text === "") delete values[column];
    else values[column] = text;
    store.set({ values });
    typing = false;
  };

  /** A case to start with: a row of the page, or the middle of each range. */
  const start = (from: number): void => {
    const values: Record<number, string> = {};
    model.columns.forEach((column, i) => {
      const { rows } = model;
      if (rows) {
        if (!rows.isMissing(from, i)) values[i] = String(rows.cells[i][from]);
      } else if (column.values || column.levels) values[i] = "0";
      else if (column.low !== undefined && column.high !== undefined)
        values[i] = String((column.low + column.high) / 2);
    });
    row = model.rows ? from : -1;
    store.set({ values });
  };

  const field = (column: number): HTMLElement => {
    const spec = model.columns[column];
    const id = freshId("field");
    const value = store.state.values[column] ?? "";
    const label = h("label", { for: id }, model.name(column));
    const declared = spec.values ?? spec.levels;
    if (declared) {
      const select = h(
        "select",
        { id, class: "cw-choice", onchange: () => put(column, select.value) },
        h("option", { value: "" }, "unknown"),
        declared.map((name, code) => h("option", { value: String(code) }, visible(name))),
      );
      select.value = value;
      return h("div", { class: "cw-field" }, label, select);
    }
    const { low, high, decimals, date } = spec;
    // a moment is typed as a date, and kept as a number like any other
    const kind = date === undefined ? "number" : date >= DAY ? "date" : "datetime-local";
    const typed = (text: string): string =>
      date === undefined || text === ""
        ? text
        : moment(Number(text))
            .replace(" ", "T")
            .slice(0, date >= DAY ? 10 : 23);
    const meant = (text: string): string =>
      date === undefined || text === "" ? text : String(Date.parse(text.length > 10 ? `${text}Z` : text));
    const input = h("input", {
      id,
      type: kind,
      step: kind === "date" ? 1 : "any",
      value: typed(value),
      placeholder: "unknown",
      oninput: () => {
        const text = meant(input.value);
        put(column, text);
        if (slide && text !== "") slide.value = text;
      },
    });
    const step = date ?? (decimals === undefined ? ((high ?? 1) - (low ?? 0)) / 200 : 10 ** -decimals);
    const slide: HTMLInputElement | null =
      low === undefined || high === undefined || !(high > low)
        ? null
        : h("input", {
            type: "range",
            min: low,
            max: high,
            step,
            "aria-label": `${model.name(column)}, slider`,
            oninput: () => ((input.value = typed(slide!.value)), put(column, slide!.value)),
          });
    if (slide) slide.value = value === "" ? String(((low as number) + (high as number)) / 2) : value;
    return h("div", { class: "cw-field" }, label, h("span", { class: "cw-inputs" }, input, slide));
  };

  const drawForm = (): void => {
    const used = new Set(context.tree().features());
    const rest = model.columns.map((_, i) => i).filter((i) => !used.has(i));
    fill(
      form,
      h(
        "div",
        { class: "cw-controls" },
        model.rows && button("A row at random", () => start(Math.floor(Math.random() * model.rows!.n))),
        model.rows && button("Row of the selected node", () => rowOfNode()),
        button("Clear", () => store.set({ values: {} })),
      ),
      [...used].map(field),
      rest.length > 0 &&
        h(
          "details",
          null,
          h("summary", null, `${plural(rest.length, "feature")} that this tree does not test`),
          rest.map(field),
        ),
    );
  };

  const rowOfNode = (): void => {
    const members = model.counted(context.tree())?.members(Math.max(store.state.node, 0)) ?? [];
    if (members.length) start(members[Math.floor(Math.random() * members.length)].row);
  };

  const story = (tree: Tree, cells: readonly number[]): HTMLElement[] => {
    const lines: HTMLElement[] = [];
    const router = model.router(tree);
    const cell = (column: number): number => cells[column];
    router.visit(cell, (node, share) => {
      const test = tree.tests[node];
      if (!test || lines.length > 40) return;
      const branch = branchOf(test, cell, tree.missing[node]);
      const known = branchOf(test, cell, -1) >= 0;
      const words = subjectWords(condition(test, 0, -1, model.columns), model.columns);
      const part = share < 1 ? ` (${percent(share)} of the case)` : "";
      if (!known) {
        lines.push(
          h(
            "li",
            null,
            `${words} is not known, so the case is ${branch < 0 ? "shared out over the branches" : `sent to ${askedWords(condition(test, branch, -1, model.columns), model.columns, 4)}`}${part}`,
          ),
        );
        return;
      }
      const value =
        test.kind === LINEAR
          ? number(planeSum(test, cell))
          : test.kind === THRESHOLD
            ? cellWords(model.columns[test.feature], cells[test.feature])
            : visible(model.columns[test.feature].values?.[cells[test.feature]]);
      const way = askedWords(condition(test, branch, -1, model.columns), model.columns, 4);
      lines.push(
        h(
          "li",
          null,
          `${words} is ${value}`,
          way === `= ${value}` ? "" : h("span", { class: "cw-faint" }, ` (${way})`),
          part,
        ),
      );
    });
    return lines;
  };

  const told = (column: number, cell: number): string => {
    const spec = model.columns[column];
    if (spec.values) return cell < 0 ? "unknown" : visible(spec.values[cell]);
    return Number.isNaN(cell) ? "unknown" : cellWords(spec, cell);
  };

  const alternative = ({ changes, answer: code }: Alternative): HTMLElement => {
    const words = changes.map(
      ({ column, from, to }) => `${model.name(column)} were ${told(column, to)} instead of ${told(column, from)}`,
    );
    const take = (): void => {
      const values = { ...store.state.values };
      for (const { column, to } of changes) values[column] = String(to);
      row = -1;
      store.set({ values });
    };
    return h(
      "li",
      null,
      h("span", null, "if ", words.join(" and "), " → ", chip(model, code)),
      button("Try", take, { class: "cw-button cw-plain" }),
    );
  };

  const drawAnswer = (): void => {
    const tree = context.tree();
    const cells = context.cells();
    if (!cells) {
      fill(answer, h("p", { class: "cw-note" }, "Enter a case, or take a row, and see which way it goes."));
      return;
    }
    const router = model.router(tree);
    const probabilities = router.probabilities((column) => cells[column]);
    const code = router.predicted((column) => cells[column]);
    const order = [...probabilities.keys()]
      .filter((k) => probabilities[k] > 0)
      .sort((a, b) => probabilities[b] - probabilities[a])
      .slice(0, 6);
    const others = alternatives(model, tree, cells);
    const actual = row >= 0 && model.rows ? model.rows.y[row] : -1;
    fill(
      answer,
      h("p", { class: "cw-verdict" }, `${model.target} is `, chip(model, code)),
      row >= 0 &&
        model.rows &&
        h(
          "p",
          { class: "cw-faint" },
          `Row ${model.rows.number(row)} of the table`,
          actual >= 0 ? [": it is ", chip(model, actual)] : "",
        ),
      h(
        "ul",
        { class: "cw-classes" },
        order.map((k) => h("li", null, chip(model, k), meter(probabilities[k], model.colours[k]))),
      ),
      h("h3", null, "Because"),
      h("ol", { class: "cw-story" }, story(tree, cells)),
      h("h3", null, "It would be different"),
      others.length
        ? h("ul", { class: "cw-others-list" }, others.map(alternative))
        : h(
            "p",
            { class: "cw-faint" },
            tree.nLeaves < 2
              ? "No: this tree says the same of every case."
              : "No small change of single features was found that alters the answer.",
          ),
    );
  };

  return {
    element,
    update: (changed) => {
      if (!form.childElementCount && !Object.keys(store.state.values).length && changed.has("tab")) {
        start(0);
        return;
      }
      if (
        !typing &&
        (!form.childElementCount ||
          changed.has("values") ||
          changed.has("entry") ||
          changed.has("edits") ||
          changed.has("tab"))
      )
        drawForm();
      drawAnswer();
    },
  };
}
