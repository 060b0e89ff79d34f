/** Tree JSON: the file that `Tree.from_json` and the command line read. */

import type { PageDocument } from "../model/document";
import { LINEAR, SUBSET, type Tree } from "../model/tree";

const KINDS = ["leaf", "threshold", "branches", "subset", "linear"];

/** A column and its weight, and of a nominal one the code of the value that it is about. */
const term = (column: number, weight: number, code: number): number[] =>
  code < 0 ? [column, weight] : [column, weight, code];

export function treeJson(tree: Tree, document: PageDocument): string {
  const { tests, nNodes: n, nClasses: k } = tree;
  const nodes = Array.from({ length: n }, (_, node) => node);
  const linear = tests.some((test) => test?.kind === LINEAR);
  const valued = tests.some((test) => test?.codes.some((code) => code >= 0));
  const directed = tree.missing.some((branch) => branch >= 0);
  const table = (flat: Float64Array): number[][] =>
    nodes.map((node) => Array.from(flat.subarray(node * k, (node + 1) * k)));
  const scaled = document.columns.some(({ levels, date }) => levels || date !== undefined);
  const fields: Record<string, unknown> = {
    format: "clearwood-tree",
    version: valued ? 5 : document.costs ? 4 : scaled ? 3 : linear || directed ? 2 : 1,
    learner: tree.learner,
    target: document.target,
    laplace: tree.laplace,
    classes: document.classes,
    columns: document.columns.map(({ name, values, levels, date }) =>
      values ? { name, values } : levels ? { name, levels } : date === undefined ? { name } : { name, date: true },
    ),
    kind: tests.map((test) => KINDS[test?.kind ?? 0]),
    feature: tests.map((test) => test?.feature ?? -1),
    threshold: tests.map((test) => (test && !Number.isNaN(test.cut) ? test.cut : null)),
    first_child: Array.from(tree.firstChild),
    n_children: Array.from(tree.nChildren),
    empty: Array.from(tree.empty, Boolean),
  };
  if (document.costs) fields.costs = document.costs;
  if (tests.some((test) => test?.kind === SUBSET)) {
    fields.sets = tests.map((test) => (test?.kind === SUBSET ? test.inside : null));
  }
  if (linear) {
    fields.weights = tests.map((test) =>
      test?.kind === LINEAR ? test.features.map((f, i) => term(f, test.weights[i], test.codes[i])) : null,
    );
  }
  if (directed) fields.missing = Array.from(tree.missing);
  fields.counts = table(tree.counts);
  if (tree.bags.some((weight, i) => weight !== tree.counts[i])) fields.bags = table(tree.bags);
  return `${JSON.stringify(fields)}\n`;
}
