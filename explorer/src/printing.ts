/** Printing: the tree, its rules and how it was made, for paper. */

import type { Context } from "./context";
import { fill, h } from "./dom";
import { rules, sorted } from "./model/rules";
import { conditionWords, percent, plural } from "./model/wording";
import { chip } from "./widgets";

const MOST_RULES = 200;

export function printed(context: Context, element: HTMLElement): void {
  const { model } = context;
  const tree = context.tree();
  const picture = context.drawing();
  picture.querySelector("style")?.remove(); // the page's own styles apply, and its policy allows no others
  const reason = model.document.reason.split("\n").slice(1).filter(Boolean); // the first line stands above
  const all = sorted(rules(tree, model.columns), "support");
  fill(
    element,
    h("figure", null, picture),
    reason.map((line) => h("p", null, line)),
    h("h2", null, "Rules"),
    h(
      "ol",
      null,
      all
        .slice(0, MOST_RULES)
        .map((rule) =>
          h(
            "li",
            null,
            `If ${rule.conditions.map((one) => conditionWords(one, model.columns)).join(" and ") || "in every case"} then `,
            chip(model, rule.code),
            ` (${plural(rule.support, "row")}, ${percent(rule.confidence)} right).`,
          ),
        ),
    ),
    all.length > MOST_RULES && h("p", null, `and ${all.length - MOST_RULES} more`),
    model.document.facts.length > 0 && [
      h("h2", null, "How it was made"),
      h(
        "dl",
        { class: "cw-facts" },
        model.document.facts.flatMap(([name, text]) => [h("dt", null, name), h("dd", null, text)]),
      ),
    ],
  );
}
