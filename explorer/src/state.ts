/** State: what the page shows, in one object that the address can hold. */

import type { RuleOrder } from "./model/rules";
import type { Edit } from "./steer/edits";

export const TABS = ["rules", "node", "try", "steer", "compare", "report"] as const;
export type Tab = (typeof TABS)[number];
export type Arrangement = "auto" | "down" | "right" | "list" | "map";

export interface State {
  /** The tree that is shown; -1: the edited one. */
  entry: number;
  node: number;
  tab: Tab;
  arrangement: Arrangement;
  /** Whether tests show distributions: null as room allows. */
  detail: boolean | null;
  stability: boolean;
  search: string;
  order: RuleOrder;
  /** A column that rules must mention; -1: any. */
  only: number;
  /** The tree that is compared with; -1: none. */
  other: number;
  /** The case that is tried: text by column. */
  values: Record<number, string>;
  /** The tree that edits start from, and the edits. */
  base: number;
  edits: Edit[];
  theme: "auto" | "light" | "dark";
}

export function initialState(chosen: number): State {
  return {
    entry: chosen,
    node: -1,
    tab: "rules",
    arrangement: "auto",
    detail: null,
    stability: true,
    search: "",
    order: "support",
    only: -1,
    other: -1,
    values: {},
    base: chosen,
    edits: [],
    theme: "auto",
  };
}

const SHORT: Record<keyof State, string> = {
  entry: "tree",
  node: "node",
  tab: "tab",
  arrangement: "layout",
  detail: "detail",
  stability: "stable",
  search: "find",
  order: "sort",
  only: "about",
  other: "with",
  values: "case",
  base: "from",
  edits: "edits",
  theme: "theme",
};

/** Only what differs from the beginning, so that the address stays short. */
export function toHash(state: State, start: State): string {
  const parts = new URLSearchParams();
  for (const key of Object.keys(SHORT) as (keyof State)[]) {
    const text = typeof state[key] === "string" ? (state[key] as string) : JSON.stringify(state[key]);
    const usual = typeof start[key] === "string" ? (start[key] as string) : JSON.stringify(start[key]);
    if (text !== usual) parts.set(SHORT[key], text);
  }
  return parts.toString();
}

/** What an address says; what it says wrongly is left out. */
export function fromHash(hash: string, start: State): Partial<State> {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(SHORT) as (keyof State)[]) {
    const text = parts.get(SHORT[key]);
    if (text === null) continue;
    if (typeof start[key] === "string") {
      found[key] = text;
      continue;
    }
    try {
      const value: unknown = JSON.parse(text);
      const fits =
        key === "detail"
          ? typeof value === "boolean"
          : typeof value === typeof start[key] && Array.isArray(value) === Array.isArray(start[key]);
      if (fits && value !== null) found[key] = value;
    } catch {
      // not JSON: as if it were absent
    }
  }
  return found as Partial<State>;
}

export type Listener = (state: State, changed: ReadonlySet<keyof State>) => void;

/** Holds the state and tells those who listen. */
export class Store {
  private readonly listeners: Listener[] = [];

  /** `adjust` may change what is about to be set, given what was before. */
  constructor(
    private current: State,
    private readonly adjust: (next: State, before: State, changed: ReadonlySet<keyof State>) => State,
  ) {}

  get state(): State {
    return this.current;
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(patch: Partial<State>): void {
    const before = this.current;
    const differing = (next: State): Set<keyof State> =>
      new Set((Object.keys(next) as (keyof State)[]).filter((key) => !Object.is(next[key], before[key])));
    const asked = { ...before, ...patch };
    const next = "node" in patch ? asked : this.adjust(asked, before, differing(asked));
    const changed = differing(next);
    if (!changed.size) return;
    this.current = next;
    for (const listener of this.listeners) listener(next, changed);
  }
}
