/** Steer panel: other tests for a node, what they would cost, and the edits so far. */

import type { Context, Panel } from "../context";
import { fill, h } from "../dom";
import { condition } from "../model/conditions";
import { type Tree, tested, unpackTest } from "../model/tree";
import { conditionWords, count, percent, plural } from "../model/wording";
import { constraints } from "../steer/constraints";
import type { Edit, Suggestion } from "../steer/edits";
import { errorsAsLeaf, errorsBelow } from "../steer/growing";
import { nLeaves } from "../steer/working";
import { button, choice, copyButton, download, fileStem } from "../widgets";

export function steerPanel(context: Context): Panel {
  const { model, store } = context;
  const element = h("div", { class: "cw-panel" });
  /** Subtrees that are still to be grown, and where their errors are written. */
  let trying: { below: NonNullable<Suggestion["below"]>; into: HTMLElement }[] = [];
  let timer = 0;

  /** One subtree at a time, so that the page stays quick. */
  const tryNext = (): void => {
    const next = trying.shift();
    if (!next) return;
    const { errors, leaves } = next.below();
    next.into.textContent = `, ${count(errors)} with the best ${plural(leaves, "leaf", "leaves")} below`;
    timer = setTimeout(tryNext, 0);
  };

  /** Edits start from the tree that is shown; those of another tree are given up for it. */
  const doing = (edit: Edit): void => {
    const { entry, base, edits } = store.state;
    const continues = entry < 0 || entry === base;
    const path = edit.at;
    store.set({ base: continues ? base : entry, edits: [...(continues ? edits : []), edit], entry: -1 });
    // the same place in the new tree
    const tree = context.tree();
    let node = 0;
    for (const branch of path) node = tree.isLeaf(node) ? node : tree.firstChild[node] + branch;
    store.set({ node });
  };

  const errorsOf = (tree: Tree): number => model.counted(tree)?.wrong ?? tree.leafErrors();
  const judgedOf = (tree: Tree): number => model.counted(tree)?.judged ?? tree.weight(0);

  const cost = (): HTMLElement => {
    const steered = context.steered();
    const [before, after] = [errorsOf(steered.original), errorsOf(steered.tree)];
    const total = judgedOf(steered.tree);
    const more = after - before;
    const answers = (() => {
      const one = model.counted(steered.original);
      const other = model.counted(steered.tree);
      if (!one || !other || !model.rows) return null;
      let changed = 0;
      for (let row = 0; row < model.rows.n; row++)
        if (one.predicted[row] !== other.predicted[row]) changed += model.rows.weights[row];
      return changed;
    })();
    const verdict =
      Math.abs(more) < 1e-9
        ? "costs no errors"
        : more > 0
          ? `costs ${plural(more, "error")} more`
          : `saves ${plural(-more, "error")}`;
    const where = model.rows?.isSample ? ` of the ${count(model.rows.n)} sampled rows` : "";
    return h(
      "div",
      { class: "cw-cost" },
      h("p", { class: "cw-verdict" }, `Your tree ${verdict}.`),
      h(
        "p",
        null,
        `Errors ${count(before)} → ${count(after)} of ${count(total)}${where} (${percent(before / total)} → ${percent(after / total)}), leaves ${steered.original.nLeaves} → ${steered.tree.nLeaves}`,
        answers === null ? "" : `, ${plural(answers, "row")} answered differently`,
        ".",
      ),
      h(
        "p",
        { class: "cw-faint" },
        "Counted on the rows that the tree was chosen by. For an honest error, cross-validate with the constraints.",
      ),
    );
  };

  const testWords = (packed: Suggestion["packed"]): string => {
    const test = unpackTest(packed);
    if (test.kind === 2) return `${model.name(test.feature)}, a branch for each value`;
    return conditionWords(condition(test, 0, -1, model.columns), model.columns, 4);
  };

  const others = (node: number): HTMLElement => {
    const steered = context.steered();
    const here = steered.node(node);
    const path = steered.path(node);
    if (here.pinned || here.stopped) {
      return h(
        "p",
        { class: "cw-note" },
        here.stopped ? "This place is to stay a leaf." : "This split is pinned.",
        " ",
        button("Release it", () => doing({ do: "unpin", at: path })),
      );
    }
    const found = steered.suggestions(node);
    const now = errorsBelow(here);
    const nowKey = here.test?.key;
    const items = found.map((one) => {
      const same = unpackTest(one.packed).key === nowKey;
      const [column] = tested(unpackTest(one.packed));
      const below = h("span", null, one.below ? ", …" : "");
      if (one.below) trying.push({ below: one.below, into: below });
      return h(
        "li",
        { class: "cw-suggestion" },
        h(
          "span",
          null,
          testWords(one.packed),
          h("br"),
          h(
            "span",
            { class: "cw-faint" },
            `gain ${one.gain.toFixed(3)} bits, ${plural(one.errorsAlone, "error")}`,
            below,
          ),
        ),
        h(
          "span",
          null,
          same
            ? h("span", { class: "cw-faint" }, "taken")
            : button("Take", () => doing({ do: "test", at: path, test: one.packed }), {
                "aria-label": `Take ${testWords(one.packed)}`,
              }),
          " ",
          button("Forbid", () => doing({ do: "forbid", at: path, column }), {
            class: "cw-button cw-plain",
            "aria-label": `Forbid ${model.name(column)} here and below`,
          }),
        ),
      );
    });
    const leaf = here.test === null;
    return h(
      "section",
      null,
      h("h3", null, leaf ? "This leaf could ask" : "Instead it could ask"),
      h(
        "p",
        null,
        leaf
          ? `As a leaf it makes ${plural(errorsAsLeaf(here), "error")}.`
          : `Now it asks ${here.test ? conditionWords(condition(here.test, 0, -1, model.columns), model.columns, 4) : ""}: ${plural(now, "error")} with ${plural(nLeaves(here), "leaf", "leaves")} below; as a leaf ${count(errorsAsLeaf(here))}.`,
      ),
      found.length
        ? h("ol", null, items)
        : h(
            "p",
            { class: "cw-faint" },
            model.rows || model.details(steered.entry)
              ? "No other test tells the classes apart here."
              : "This page holds neither rows nor counts of other tests for this node.",
          ),
      h(
        "div",
        { class: "cw-controls" },
        !leaf && button("Prune here", () => doing({ do: "prune", at: path })),
        button(leaf ? "Keep as a leaf" : "Pin this split", () => doing({ do: "pin", at: path })),
      ),
    );
  };

  const history = (): HTMLElement => {
    const { edits, base } = store.state;
    const words = (edit: Edit): string => {
      const place = edit.at.length ? "" : " at the root";
      if (edit.do === "test") return `ask ${testWords(edit.test)}${place}`;
      if (edit.do === "forbid")
        return `forbid ${model.name(edit.column)}${edit.at.length ? " below a node" : " everywhere"}`;
      return { prune: "prune", pin: "pin", unpin: "release" }[edit.do] + (edit.at.length ? " a node" : " the root");
    };
    const back = (n: number): void => store.set({ edits: edits.slice(0, n), entry: n ? -1 : base, node: -1 });
    return h(
      "section",
      null,
      h("h3", null, "Your edits"),
      edits.length
        ? h(
            "ol",
            { class: "cw-edits" },
            edits.map((edit, i) =>
              h(
                "li",
                null,
                words(edit),
                " ",
                button("Rewind to before this", () => back(i), { class: "cw-button cw-plain" }),
              ),
            ),
          )
        : h(
            "p",
            { class: "cw-faint" },
            "None yet. Select a node in the tree, and take another test, forbid a feature, prune or pin.",
          ),
      edits.length > 0 && cost(),
      edits.length > 0 &&
        h(
          "div",
          { class: "cw-controls" },
          button("Download constraints", () =>
            download(
              `${fileStem(model.document.title)}-constraints.json`,
              constraints(model, context.steered().root),
              "application/json",
            ),
          ),
          copyButton("Copy constraints", () => constraints(model, context.steered().root)),
          button("Undo", () => back(edits.length - 1)),
        ),
      edits.length > 0 &&
        h(
          "p",
          { class: "cw-faint" },
          "Then ",
          h("code", null, `clearwood fit DATA --target "${model.target}" --constraints FILE`),
          " for the tree, and ",
          h("code", null, "clearwood evaluate"),
          " with the same words for its error.",
        ),
    );
  };

  const everywhere = (): HTMLElement => {
    const used = context.tree().features();
    const forbidden = context.steered().forbidden([]);
    const free = used.filter((column) => !forbidden.has(column));
    const pick = choice(
      "Feature to forbid everywhere",
      [["", "forbid a feature everywhere …"], ...free.map((c) => [String(c), model.name(c)] as const)],
      "",
      (value) => {
        if (value) doing({ do: "forbid", at: [], column: Number(value) });
      },
    );
    return h("div", { class: "cw-controls" }, pick);
  };

  const draw = (): void => {
    clearTimeout(timer);
    trying = [];
    const { entry, base, node } = store.state;
    const usable = entry < 0 || entry === base || !store.state.edits.length;
    if (!usable) {
      fill(
        element,
        h(
          "p",
          { class: "cw-note" },
          "Your edits belong to another tree. ",
          button("Show your tree", () => store.set({ entry: -1, node: -1 })),
          " ",
          button("Start anew with this one", () => store.set({ base: entry, edits: [] })),
        ),
      );
      return;
    }
    fill(
      element,
      node >= 0
        ? others(node)
        : h("p", { class: "cw-note" }, "Select a node in the tree to see what else it could ask."),
      everywhere(),
      history(),
    );
    timer = setTimeout(tryNext, 0);
  };
  return { element, update: draw };
}
