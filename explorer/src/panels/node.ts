/** Node panel: the rows of one node, how they mix, how they spread, and a look at them. */

import type { Context, Panel } from "../context";
import { fill, h, s } from "../dom";
import { merged, pathConditions } from "../model/conditions";
import { LINEAR, type Tree, sum, tested } from "../model/tree";
import { cellWords, conditionWords, count, number, percent, planeWords, plural, visible } from "../model/wording";
import { histogram, influences } from "../view/bars";
import { distribution } from "../view/distribution";
import { chip, meter, table } from "../widgets";

const MOST_ROWS = 50;
const MOST_CLASSES = 8;

export function nodePanel(context: Context): Panel {
  const { model, store } = context;
  let wrongOnly = false;
  const element = h("div", { class: "cw-panel" });

  const title = (tree: Tree, node: number): Node[] => {
    const conditions = merged(pathConditions(tree, node, model.columns), model.columns);
    if (!conditions.length) return [h("h3", null, node ? "Every row" : "All rows")];
    return [
      h("h3", null, tree.isLeaf(node) ? "Rows of this leaf" : "Rows of this node"),
      h(
        "ul",
        { class: "cw-path" },
        conditions.map((one) => h("li", null, conditionWords(one, model.columns))),
      ),
    ];
  };

  const mix = (tree: Tree, node: number): HTMLElement => {
    const held = tree.weightsOf(node);
    const total = sum(held);
    const all = sum(tree.weightsOf(0));
    const order = [...held.keys()].filter((k) => held[k] > 0).sort((a, b) => held[b] - held[a]);
    const rest = order.slice(MOST_CLASSES).reduce((weight, k) => weight + held[k], 0);
    const answer = h(
      "p",
      null,
      `${plural(total, "row")} (${percent(total / all)} of all)`,
      tree.isLeaf(node) ? ", predicted " : ", mostly ",
      chip(model, tree.classOf(node)),
    );
    return h(
      "div",
      null,
      answer,
      h(
        "ul",
        { class: "cw-classes" },
        order
          .slice(0, MOST_CLASSES)
          .map((k) =>
            h(
              "li",
              null,
              chip(model, k),
              meter(held[k] / total, model.colours[k], `${count(held[k])} · ${percent(held[k] / total)}`),
            ),
          ),
        rest > 0 &&
          h(
            "li",
            { class: "cw-faint" },
            h("span", null, plural(order.length - MOST_CLASSES, "other class", "other classes")),
            meter(rest / total, null, `${count(rest)} · ${percent(rest / total)}`),
          ),
      ),
    );
  };

  const spread = (tree: Tree, node: number): HTMLElement | null => {
    const test = tree.tests[node];
    if (!test) return null;
    const found = distribution(model, tree, node, store.state.entry, 40);
    const name = test.kind === LINEAR ? "the weighted sum" : model.name(test.feature);
    const parts: (Node | null)[] = [
      h("h3", null, test.kind === LINEAR ? "What is tested: a weighted sum" : `What is tested: ${name}`),
    ];
    if (test.kind === LINEAR) parts.push(planeTable(tree, node));
    if (found && found.most > 0) {
      const width = 340;
      const svg = s("svg", {
        class: "cw-spread",
        viewBox: `-4 -8 ${width + 8} 128`,
        role: "img",
        "aria-label": `Distribution of ${name} by class, the cut marked`,
      });
      svg.append(histogram(found, model.colours, width, 90));
      if (found.edges) {
        const [low, high] = [found.edges[0], found.edges[found.edges.length - 1]];
        const at = ((test.cut - low) / (high - low)) * width;
        const words = (value: number, digits?: number): string =>
          cellWords(test.kind === LINEAR ? undefined : model.columns[test.feature], value, digits);
        const anchor = at < 60 ? "start" : at > width - 60 ? "end" : "middle";
        if (at > 90) svg.append(s("text", { x: 0, y: 112 }, words(low, 4)));
        if (at < width - 90) svg.append(s("text", { x: width, y: 112, "text-anchor": "end" }, words(high, 4)));
        svg.append(
          s(
            "text",
            {
              class: "cw-strong",
              x: anchor === "start" ? 0 : anchor === "end" ? width : at,
              y: 112,
              "text-anchor": anchor,
            },
            `≤ ${words(test.cut)}`,
          ),
        );
      }
      parts.push(svg);
      if (found.codes)
        parts.push(
          valueList(
            found.codes.map((code, i) => ({ code, weights: found.bars[i] })),
            test.feature,
            found.cut,
          ),
        );
      if (found.missing > 0)
        parts.push(h("p", { class: "cw-faint" }, `${plural(found.missing, "row")} without a value`));
    }
    return h("section", null, parts);
  };

  const valueList = (bars: { code: number; weights: number[] }[], feature: number, cut: number | null): HTMLElement => {
    const names = (some: typeof bars): string =>
      some
        .map(({ code, weights }) => `${visible(model.columns[feature].values?.[code])} (${count(sum(weights))})`)
        .join(", ");
    if (cut === null) return h("p", { class: "cw-values" }, names(bars));
    return h(
      "dl",
      { class: "cw-values" },
      h("dt", null, "first branch"),
      h("dd", null, names(bars.slice(0, cut)) || "no value"),
      h("dt", null, "second branch"),
      h("dd", null, names(bars.slice(cut)) || "no value"),
    );
  };

  const planeTable = (tree: Tree, node: number): HTMLElement => {
    const test = tree.tests[node]!;
    const all = influences(model, test);
    const named = all.some(({ about }) => about.length > 1);
    const most = Math.max(...all.map(({ pull }) => Math.abs(pull)), 1e-300);
    return h(
      "div",
      null,
      h("p", { class: "cw-formula" }, `${planeWords(model.columns, test)} ≤ ${number(test.cut)}`),
      table(
        [named ? "term" : "feature", "weight", "influence"],
        all.map(({ name, weight, pull }) => [
          name,
          number(weight, 4),
          meter(Math.abs(pull) / most, "var(--cw-ink)", `${pull < 0 ? "−" : "+"}${number(Math.abs(pull), 2)}`),
        ]),
        `Influence of the ${named ? "terms" : "features"} on the sum`,
      ),
      h(
        "p",
        { class: "cw-faint" },
        "Influence is the weight times the feature's standard deviation: what a usual difference does to the sum.",
        named && " A term about a value counts as 1 where a row has that value, else as 0.",
      ),
    );
  };

  const stable = (node: number): HTMLElement | null => {
    const found = model.stability(store.state.entry);
    const share = found?.returns[node];
    if (!found || share === null || share === undefined) return null;
    return h(
      "p",
      null,
      `This split returns in ${Math.round(share * found.trees)} of ${found.trees} trees grown from resampled rows.`,
    );
  };

  const rowsTable = (tree: Tree, node: number): HTMLElement => {
    const counted = model.counted(tree);
    const { rows } = model;
    if (!counted || !rows)
      return h("p", { class: "cw-note" }, "This page was made without rows: it holds only counts.");
    const all = counted.members(node);
    const wrong = all.filter(({ row }) => rows.y[row] >= 0 && counted.predicted[row] !== rows.y[row]);
    const shown = (wrongOnly ? wrong : all).slice(0, MOST_ROWS);
    const above = new Set(tree.path(node).flatMap((at) => (tree.tests[at] ? [...tested(tree.tests[at]!)] : [])));
    const used = new Set(tree.features());
    const order = model.columns.map((_, i) => i).sort((a, b) => rank(b) - rank(a) || a - b);
    function rank(column: number): number {
      return above.has(column) ? 2 : used.has(column) ? 1 : 0;
    }
    const shared = shown.some(({ share }) => share < 1);
    const head = ["row", ...(shared ? ["share"] : []), model.target, "predicted", ...order.map((c) => model.name(c))];
    const body = shown.map(({ row, share }) => [
      String(rows.number(row)),
      ...(shared ? [percent(share)] : []),
      rows.y[row] >= 0 ? chip(model, rows.y[row]) : "?",
      counted.predicted[row] === rows.y[row] ? "right" : chip(model, counted.predicted[row]),
      ...order.map((c) =>
        rows.isMissing(row, c)
          ? "?"
          : model.columns[c].values
            ? visible(model.columns[c].values![rows.cells[c][row]])
            : cellWords(model.columns[c], rows.cells[c][row]),
      ),
    ]);
    const what = rows.isSample
      ? `${count(all.length)} of the ${plural(rows.n, "sampled row")} (the table has ${count(rows.of)})`
      : plural(all.length, "row");
    const only = h("input", {
      type: "checkbox",
      checked: wrongOnly,
      onchange: () => ((wrongOnly = only.checked), draw()),
    });
    return h(
      "section",
      null,
      h("h3", null, "The rows"),
      h(
        "div",
        { class: "cw-controls" },
        h(
          "span",
          null,
          what,
          shown.length < (wrongOnly ? wrong.length : all.length) ? `, the first ${shown.length} shown` : "",
        ),
        wrong.length > 0 && h("label", null, only, ` only the ${count(wrong.length)} that the tree gets wrong`),
      ),
      shown.length
        ? table(head, body, "Rows of this node", { class: "cw-data" })
        : h("p", { class: "cw-faint" }, "None."),
    );
  };

  const draw = (): void => {
    const tree = context.tree();
    const node = Math.max(store.state.node, 0);
    fill(element, title(tree, node), mix(tree, node), spread(tree, node), stable(node), rowsTable(tree, node));
  };
  return { element, update: draw };
}
