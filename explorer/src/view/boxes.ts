/** Boxes: which nodes of a tree are shown, what is folded away, and which branches stand together. */

import { BRANCHES, type Tree } from "../model/tree";

/** What is drawn at one place: a node, or several leaves of a many-way test that give the same answer. */
export interface Box {
  node: number;
  members: number[];
  children: Box[];
  parent: Box | null;
  depth: number;
  /** Whether there are nodes below that are not shown. */
  folded: boolean;
  weights: Float64Array;
  weight: number;
}

export interface Folding {
  /** Nodes whose subtrees are folded away. */
  folded: ReadonlySet<number>;
  /** Many-way tests whose branches are all shown. */
  opened: ReadonlySet<number>;
}

/** At least this many branches with the same answer stand together. */
const GROUP = 3;

export function boxes(tree: Tree, folding: Folding): Box {
  const make = (node: number, members: number[], parent: Box | null): Box => {
    const weights = new Float64Array(tree.nClasses);
    for (const member of members) tree.weightsOf(member).forEach((w, k) => (weights[k] += w));
    const box: Box = {
      node,
      members,
      children: [],
      parent,
      depth: parent ? parent.depth + 1 : 0,
      folded: members.length === 1 && !tree.isLeaf(node) && folding.folded.has(node),
      weights,
      weight: weights.reduce((a, b) => a + b, 0),
    };
    return box;
  };
  const root = make(0, [0], null);
  const stack = [root];
  for (let box = stack.pop(); box; box = stack.pop()) {
    if (box.folded || box.members.length > 1 || tree.isLeaf(box.node)) continue;
    for (const members of groups(tree, box.node, folding.opened)) box.children.push(make(members[0], members, box));
    stack.push(...box.children);
  }
  return root;
}

function groups(tree: Tree, node: number, opened: ReadonlySet<number>): number[][] {
  const children = tree.children(node);
  if (tree.tests[node]?.kind !== BRANCHES || children.length < GROUP || opened.has(node))
    return children.map((child) => [child]);
  const byAnswer = new Map<number, number[]>();
  const found: number[][] = [];
  for (const child of children) {
    if (!tree.isLeaf(child)) {
      found.push([child]);
      continue;
    }
    const answer = tree.classOf(child);
    const group = byAnswer.get(answer);
    if (group) group.push(child);
    else {
      const made = [child];
      byAnswer.set(answer, made);
      found.push(made);
    }
  }
  return found.flatMap((group) => (group.length >= GROUP ? [group] : group.map((child) => [child])));
}

/** All boxes in reading order. */
export function inOrder(root: Box): Box[] {
  const found: Box[] = [];
  const stack = [root];
  for (let box = stack.pop(); box; box = stack.pop()) {
    found.push(box);
    for (let i = box.children.length - 1; i >= 0; i--) stack.push(box.children[i]);
  }
  return found;
}

/** What to fold at first so that about `most` leaves are shown: nodes with many rows are unfolded first. */
export function initialFolding(tree: Tree, most: number): Set<number> {
  const folded = new Set<number>();
  if (tree.nLeaves <= most) return folded;
  for (let node = 0; node < tree.nNodes; node++) if (!tree.isLeaf(node)) folded.add(node);
  const open = [0];
  let leaves = 1;
  while (open.length && leaves < most) {
    let best = 0;
    for (let i = 1; i < open.length; i++) if (tree.weight(open[i]) > tree.weight(open[best])) best = i;
    const [node] = open.splice(best, 1);
    folded.delete(node);
    leaves += tree.nChildren[node] - 1;
    open.push(...tree.children(node).filter((child) => !tree.isLeaf(child)));
  }
  return folded;
}
