/** The document that the page reads; docs/guide/page_format.rst describes every field. */

export type Label = string | number | boolean;

export interface ColumnSpec {
  name: string;
  /** Nominal columns declare their values; numeric ones have none. */
  values?: string[];
  /** Of a nominal column that weighted sums ask about: how much having each of its values varies (0 or 1). */
  spreads?: number[];
  /** Ordered columns declare their levels; a cell is a level's number. */
  levels?: string[];
  /** Of moments, milliseconds since 1970 in UTC: the milliseconds that all of them are multiples of. */
  date?: number;
  /** Of a numeric column: its least and greatest value, its standard deviation, the decimals that people write. */
  low?: number;
  high?: number;
  spread?: number;
  decimals?: number;
}

/** [column, cut] · [column] · [column, [codes]] · [[columns], [weights], cut] · [[columns], [weights], cut, [codes]] */
export type PackedTest =
  | [number, number]
  | [number]
  | [number, number[]]
  | [number[], number[], number]
  | [number[], number[], number, number[]];

export interface PackedNodes {
  /** For each node the place of its test in `tests`; -1 for a leaf. */
  test: number[];
  /** Children of the inner nodes, one after the other, as distances back to them: children come first. */
  children: number[];
  /** For each node the place of its class weights in `weights`. */
  counts: number[];
  bags?: number[];
  missing?: number[];
  empty?: number[];
}

export interface EntrySpecs {
  tree: number[];
  learner: number[];
  training_error: number[];
  cv_error: (number | null)[];
  cv_low: (number | null)[];
  cv_high: (number | null)[];
  laplace?: number[];
}

export interface RowSpec {
  /** How many rows the table has; more than there are here if these are a sample. */
  of: number;
  columns: (number | null)[][];
  y: number[];
  weights?: number[];
  numbers?: number[];
}

export interface Bins {
  /** Of a numeric column: the edges between the bins, the outer ones included. */
  edges?: number[];
  /** Class weights, bin by bin (or value by value), flat. */
  counts: number[];
}

export interface Candidate {
  test: PackedTest;
  gain: number;
  /** The class weights of each branch. */
  branches: number[][];
}

export interface DetailSpec {
  entry: number;
  /** For each node the distribution of what it tests; null for a leaf. */
  bins: (Bins | null)[];
  /** For each node other tests, the best first. */
  candidates: (Candidate[] | null)[];
}

export interface StabilitySpec {
  entry: number;
  trees: number;
  /** For each node the share of the trees in which its split returns; null for a leaf. */
  returns: (number | null)[];
}

export interface ReferenceSpec {
  name: string;
  error: number;
  low?: number;
  high?: number;
}

export interface PageDocument {
  format: "clearwood-page";
  /** 2 knows values in weighted sums. */
  version: 1 | 2;
  title: string;
  target: string;
  classes: Label[];
  colours: string[];
  columns: ColumnSpec[];
  tests: PackedTest[];
  weights: number[];
  nodes: PackedNodes;
  learners: string[];
  entries: EntrySpecs;
  chosen: number;
  reason: string;
  references: ReferenceSpec[];
  facts: [string, string][];
  rows?: RowSpec;
  details?: DetailSpec[];
  stability?: StabilitySpec[];
  /** What it costs to say a class (across) of a row of a class (down); the trees say what costs least. */
  costs?: number[][];
}

/** The document in a page's own script element: JSON, gzipped, in base64. */
export async function readDocument(element: Element): Promise<PageDocument> {
  const packed = Uint8Array.from(atob((element.textContent ?? "").trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return checked(JSON.parse(await new Response(stream).text()));
}

/** The same object, if it is a document that this page can read. */
export function checked(document: PageDocument): PageDocument {
  if (document?.format !== "clearwood-page") throw new Error("this is not a clearwood-page document.");
  const version: number = document.version;
  if (version !== 1 && version !== 2) throw new Error(`version ${version} of the document is unknown to this page.`);
  return document;
}
