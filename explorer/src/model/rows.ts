/** Rows: the part of the table that is inside the page, column by column. */

import type { ColumnSpec, RowSpec } from "./document";

export type Cells = Float64Array | Int32Array;

export class Rows {
  readonly n: number;
  /** How many rows the whole table has. */
  readonly of: number;
  /** Numbers with NaN for missing, or codes with -1. */
  readonly cells: Cells[];
  readonly y: Int32Array;
  readonly weights: Float64Array;
  readonly totalWeight: number;
  private readonly sorted = new Map<number, Int32Array>();

  constructor(
    spec: RowSpec,
    readonly columns: readonly ColumnSpec[],
  ) {
    this.n = spec.y.length;
    this.of = spec.of;
    this.cells = spec.columns.map((cells, i) =>
      columns[i].values ? Int32Array.from(cells as number[]) : Float64Array.from(cells, (v) => (v === null ? NaN : v)),
    );
    this.y = Int32Array.from(spec.y);
    this.weights = spec.weights ? Float64Array.from(spec.weights) : new Float64Array(this.n).fill(1);
    this.numbers = spec.numbers ?? null;
    this.totalWeight = this.weights.reduce((a, b) => a + b, 0);
  }

  private readonly numbers: number[] | null;

  get isSample(): boolean {
    return this.n < this.of;
  }

  /** What a person would call the row: its number in the table, from 1. */
  number(row: number): number {
    return (this.numbers ? this.numbers[row] : row) + 1;
  }

  isMissing(row: number, column: number): boolean {
    const cell = this.cells[column][row];
    return this.columns[column].values ? cell < 0 : Number.isNaN(cell);
  }

  /** One row's cells, as the router takes them. */
  row(row: number): number[] {
    return this.cells.map((cells) => cells[row]);
  }

  /** The rows by ascending value of a numeric column, without those that lack it. */
  order(column: number): Int32Array {
    let order = this.sorted.get(column);
    if (!order) {
      const cells = this.cells[column];
      const known: number[] = [];
      for (let row = 0; row < this.n; row++) if (!Number.isNaN(cells[row])) known.push(row);
      order = Int32Array.from(known.sort((a, b) => cells[a] - cells[b] || a - b));
      this.sorted.set(column, order);
    }
    return order;
  }
}
