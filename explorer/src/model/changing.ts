/** Changing: the nearest cases to a given one that get another answer. */

import { type Condition, isEmpty, merged, pathConditions } from "./conditions";
import type { Model } from "./model";
import { planeSum } from "./route";
import { LINEAR, type Tree, tested } from "./tree";

export interface Change {
  column: number;
  from: number;
  to: number;
}

export interface Alternative {
  changes: Change[];
  answer: number;
  leaf: number;
  /** How far the numbers move, in standard deviations; a changed category counts as one. */
  distance: number;
}

/** Other answers, those that change the fewest features first, then the smallest moves; each is checked by routing. */
export function alternatives(model: Model, tree: Tree, cells: readonly number[], most = 3): Alternative[] {
  const router = model.router(tree);
  const now = router.predicted((column) => cells[column]);
  const found: Alternative[] = [];
  for (let leaf = 0; leaf < tree.nNodes; leaf++) {
    if (!tree.isLeaf(leaf) || tree.empty[leaf] || tree.classOf(leaf) === now) continue;
    const moved = movedInto(model, tree, leaf, cells);
    if (!moved) continue;
    const answer = router.predicted((column) => moved[column]);
    if (answer === now) continue;
    const changes: Change[] = [];
    let distance = 0;
    moved.forEach((to, column) => {
      if (Object.is(to, cells[column])) return;
      changes.push({ column, from: cells[column], to });
      distance += moveLength(model, column, cells[column], to);
    });
    found.push({ changes, answer, leaf, distance });
  }
  found.sort((a, b) => a.changes.length - b.changes.length || a.distance - b.distance || a.leaf - b.leaf);
  const kept: Alternative[] = [];
  for (const one of found) {
    const columns = new Set(one.changes.map(({ column }) => column));
    // one that changes more for the same answer tells nothing new
    if (kept.some(({ answer, changes }) => answer === one.answer && changes.every(({ column }) => columns.has(column))))
      continue;
    kept.push(one);
    if (kept.length === most) break;
  }
  return kept;
}

function moveLength(model: Model, column: number, from: number, to: number): number {
  const spec = model.columns[column];
  if (spec.values || Number.isNaN(from)) return 1;
  return Math.abs(to - from) / (spec.spread || Math.abs(from) || 1);
}

/** The case with the fewest cells changed so that it meets a leaf's conditions; null where none was found. */
function movedInto(model: Model, tree: Tree, leaf: number, cells: readonly number[]): number[] | null {
  const conditions = merged(pathConditions(tree, leaf, model.columns), model.columns);
  if (conditions.some((one) => isEmpty(one) && one.missing !== true)) return null;
  const moved = [...cells];
  const single = conditions.filter((one) => one.test.kind !== LINEAR);
  for (const one of single) {
    const to = into(model, one, moved[one.test.feature]);
    if (to === null) return null;
    moved[one.test.feature] = to;
  }
  const planes = conditions.filter((one) => one.test.kind === LINEAR);
  for (let round = 0; round < 4 && planes.length; round++) {
    let settled = true;
    for (const plane of planes) settled = ontoSide(model, plane, moved, single) && settled;
    if (settled) break;
  }
  return moved;
}

/** The value itself if it passes, else the nearest that does. */
function into(model: Model, one: Condition, value: number): number | null {
  if (one.values) {
    if (one.values.includes(value) || (value < 0 && one.missing === true)) return value;
    return one.values.length ? one.values[0] : null;
  }
  if (Number.isNaN(value) ? one.missing === true : value > one.lower && value <= one.upper) return value;
  if (isEmpty(one)) return null;
  if (one.lower === -Infinity || (!Number.isNaN(value) && value > one.upper)) return below(model, one);
  return above(model, one.test.feature, one.lower, one.upper);
}

/** The greatest number below the upper bound that there is in this column. */
function below(model: Model, one: Condition): number {
  const { levels, date } = model.columns[one.test.feature];
  const step = levels ? 1 : date;
  const whole = step ? Math.floor(one.upper / step) * step : one.upper;
  return whole > one.lower ? whole : one.upper;
}

/** The first number above a bound that people would write in this column. */
function above(model: Model, column: number, lower: number, upper: number): number {
  const { decimals, levels, date } = model.columns[column];
  const unit = levels ? 1 : date;
  if (unit) {
    const next = (Math.floor(lower / unit) + 1) * unit;
    if (next <= upper) return next;
  }
  for (let d = decimals ?? 0; d <= 15; d++) {
    const scale = 10 ** d;
    let next = (Math.floor(lower * scale) + 1) / scale;
    if (next <= lower) next = (Math.floor(lower * scale) + 2) / scale;
    if (next > lower && next <= upper) return next;
  }
  return upper;
}

/** A cell of a plane that may be changed, and what the sum is then. */
interface Move {
  column: number;
  to: number;
  cost: number;
  total: number;
}

/** Move cells of a plane so that the sum comes to the wanted side, by the least moves; whether nothing had to move. */
function ontoSide(model: Model, plane: Condition, cells: number[], single: readonly Condition[]): boolean {
  const passes = (total: number): boolean => total > plane.lower && total <= plane.upper;
  const total = planeSum(plane.test, (column) => cells[column]);
  if (passes(total)) return true;
  const named = new Set<number>();
  let moved = false;
  for (let now = total; ;) {
    const values = valueMoves(model, plane, cells, single).filter(({ column }) => !named.has(column));
    const enough = [...numberMoves(model, plane, cells, single), ...values.filter((move) => passes(move.total))];
    // where no move is enough the value that brings the sum nearest is taken, and the rest is left to the others
    const nearer = values.filter((move) => gap(plane, move.total) < gap(plane, now));
    const best = least(enough, ({ cost }) => cost) ?? least(nearer, (move) => gap(plane, move.total));
    if (!best) return !moved;
    cells[best.column] = best.to;
    moved = true;
    if (enough.length) return false;
    named.add(best.column);
    now = best.total;
  }
}

/** How far a sum is from the wanted side. */
function gap({ lower, upper }: Condition, total: number): number {
  return Math.max(lower - total, total - upper);
}

/** The first of those with the least amount. */
function least<T>(list: readonly T[], amount: (one: T) => number): T | null {
  let best: T | null = null;
  for (const one of list) if (best === null || amount(one) < amount(best)) best = one;
  return best;
}

/** Other values for the nominal columns of a plane. */
function valueMoves(model: Model, { test }: Condition, cells: number[], single: readonly Condition[]): Move[] {
  const found: Move[] = [];
  for (const column of tested(test)) {
    const { values } = model.columns[column];
    const allowed = single.find((one) => one.test.feature === column)?.values ?? null;
    values?.forEach((_, to) => {
      if (to === cells[column] || (allowed && !allowed.includes(to))) return;
      const total = planeSum(test, (at) => (at === column ? to : cells[at]));
      if (!Number.isNaN(total)) found.push({ column, to, cost: moveLength(model, column, cells[column], to), total });
    });
  }
  return found;
}

/** For each number of a plane the nearest one with which the sum comes to the wanted side. */
function numberMoves(model: Model, plane: Condition, cells: number[], single: readonly Condition[]): Move[] {
  const { test } = plane;
  const total = planeSum(test, (column) => cells[column]);
  const room = plane.upper - plane.lower;
  const small = Math.min(Number.isFinite(room) ? room / 2 : Infinity, Math.max(Math.abs(test.cut), 1e-9) * 1e-3);
  const wanted = total <= plane.lower ? plane.lower + small : plane.upper - (Number.isFinite(room) ? 0 : small);
  const found: Move[] = [];
  test.features.forEach((column, i) => {
    if (test.codes[i] >= 0) return;
    const to = cells[column] + (wanted - total) / test.weights[i];
    const limit = single.find((one) => one.test.feature === column);
    if (!Number.isFinite(to) || (limit && !(to > limit.lower && to <= limit.upper))) return;
    found.push({ column, to, cost: moveLength(model, column, cells[column], to), total: wanted });
  });
  return found;
}
