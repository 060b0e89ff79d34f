/** App: puts the parts together, and keeps the drawing, the panels and the address in step with the state. */

import type { Context, Panel } from "./context";
import { fill, h } from "./dom";
import { drawing } from "./export/picture";
import { pathConditions } from "./model/conditions";
import { Model } from "./model/model";
import { Places, difference } from "./model/places";
import type { PageDocument } from "./model/document";
import { type Tree, tested } from "./model/tree";
import { conditionWords, listed, plural } from "./model/wording";
import { comparePanel } from "./panels/compare";
import { nodePanel } from "./panels/node";
import { reportPanel } from "./panels/report";
import { rulesPanel } from "./panels/rules";
import { steerPanel } from "./panels/steer";
import { tryPanel } from "./panels/try";
import { printed } from "./printing";
import { type State, Store, TABS, type Tab, fromHash, initialState, toHash } from "./state";
import { type Edit, Steered, checkedEdits } from "./steer/edits";
import { drawLegend, drawSummary } from "./summary";
import { tabs } from "./tabs";
import { toolbar } from "./toolbar";
import { arrange, suitable } from "./view/arrange";
import { type Folding, initialFolding } from "./view/boxes";
import { FrontChart } from "./view/frontChart";
import type { Scene } from "./view/scene";
import { type Marks, TreeView } from "./view/treeView";
import { button } from "./widgets";
import { icon } from "./icons";

/** Up to so many leaves a tree is shown whole; of a larger one so many are shown at first. */
const SHOWN_WHOLE = 40;
const AT_FIRST = 24;
const MOST_DETAILED = 26;

export interface Options {
  /** Whether the address holds the state: in a page of its own, not in a notebook. */
  address: boolean;
}

export class App {
  readonly model: Model;
  readonly store: Store;
  readonly places = new Places();
  private readonly start: State;
  private readonly context: Context;
  private readonly front: FrontChart;
  private readonly view: TreeView;
  private readonly second: TreeView;
  private readonly panels: Record<Tab, Panel>;
  private readonly parts: Record<"root" | "tiles" | "reason" | "legend" | "status" | "live" | "print" | "stepper", HTMLElement>;
  private readonly bar: ReturnType<typeof toolbar>;
  private readonly tabs: ReturnType<typeof tabs>;
  private readonly steeredBy = new WeakMap<readonly Edit[], Steered>();
  private folding = new WeakMap<Tree, { folded: Set<number>; opened: Set<number> }>();
  private lastTree: Tree | null = null;
  private fresh: ReadonlySet<number> = new Set();
  private used = false;
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");

  constructor(
    host: HTMLElement,
    document: PageDocument,
    private readonly options: Options,
  ) {
    this.model = new Model(document);
    this.start = initialState(Math.min(Math.max(document.chosen, 0), this.model.entries.length - 1));
    const given = options.address ? this.sound(fromHash(location.hash, this.start)) : {};
    this.store = new Store({ ...this.start, ...given }, (next, before, changed) => this.sameNode(next, before, changed));
    this.context = {
      model: this.model,
      store: this.store,
      places: this.places,
      tree: () => this.tree(),
      steered: () => this.steered(),
      announce: (text) => fill(this.parts.live, text),
      cells: () => this.cells(),
      drawing: () => drawing(this.scene(), this.folded(this.tree())),
    };
    this.front = new FrontChart(this.model, (entry) => this.store.set({ entry }));
    const events = {
      select: (node: number) => this.store.set({ node: node === this.store.state.node ? -1 : node }),
      fold: (node: number, group: boolean) => this.fold(node, group),
      wheel: () => this.options.address || this.used,
    };
    this.view = new TreeView(this.places, events, "The tree");
    this.second = new TreeView(this.places, { ...events, small: true, select: () => undefined, fold: () => undefined }, "The tree that is compared with");
    this.panels = {
      rules: rulesPanel(this.context),
      node: nodePanel(this.context),
      try: tryPanel(this.context),
      steer: steerPanel(this.context),
      compare: comparePanel(this.context),
      report: reportPanel(this.context),
    };
    this.bar = toolbar(this.context, {
      zoom: (factor) => this.view.zoomBy(factor),
      fit: () => this.view.fit(),
      unfold: (all) => this.unfoldAll(all),
      next: () => this.nextFound(),
      detailed: () => this.detailed(this.tree()),
    });
    this.tabs = tabs(this.panels, (tab) => this.store.set({ tab }));
    this.parts = {
      root: host,
      tiles: h("div", { class: "cw-tiles" }),
      reason: h("div", { class: "cw-reason" }),
      legend: h("div", { class: "cw-legend" }),
      status: h("p", { class: "cw-status", "aria-live": "polite" }),
      live: h("div", { class: "cw-offscreen", "aria-live": "polite" }),
      print: h("div", { class: "cw-print" }),
      stepper: h("div", { class: "cw-stepper" }),
    };
    this.build(document);
    this.store.listen((state, changed) => this.changed(state, changed));
    this.dark.addEventListener("change", () => this.dress());
    new ResizeObserver(() => this.resized()).observe(host);
    if (options.address) {
      addEventListener("hashchange", () => {
        if (location.hash.replace(/^#/, "") !== toHash(this.store.state, this.start)) this.store.set({ ...this.start, ...this.sound(fromHash(location.hash, this.start)) });
      });
      addEventListener("beforeprint", () => printed(this.context, this.parts.print));
    }
    this.resized();
    this.changed(this.store.state, new Set(Object.keys(this.store.state) as (keyof State)[]));
  }

  private build(document: PageDocument): void {
    const { root, tiles, reason, legend, status, live, print, stepper } = this.parts;
    const many = this.model.entries.length > 1;
    root.classList.add("cw-app");
    if (!many) root.classList.add("cw-single");
    const themes = { auto: "light", light: "dark", dark: "auto" } as const;
    fill(
      root,
      h(
        "header",
        { class: "cw-header" },
        h("div", null, h("h1", null, document.title)),
        h(
          "div",
          { class: "cw-controls" },
          button(icon("theme"), () => this.store.set({ theme: themes[this.store.state.theme] }), { class: "cw-button cw-square", "aria-label": "Light or dark", title: "Light, dark, or as the system says" }),
        ),
      ),
      h(
        "div",
        { class: "cw-body" },
        h("aside", { class: "cw-rail", "aria-label": "Trees to choose from" }, tiles, many && this.front.element, many && stepper, reason),
        h(
          this.options.address ? "main" : "div",
          { class: "cw-main" },
          h("h2", { class: "cw-offscreen" }, "The tree"),
          this.bar.element,
          status,
          h("div", { class: "cw-views" }, this.view.element, this.second.element),
          legend,
        ),
        h("section", { class: "cw-side", "aria-label": "About the tree" }, h("h2", { class: "cw-offscreen" }, "About the tree"), this.tabs.element),
      ),
      live,
      print,
    );
    const lines = document.reason.split("\n").filter(Boolean);
    if (lines.length) {
      fill(reason, h("h2", null, "Why this one"), h("p", null, lines[0]), lines.length > 1 && h("details", null, h("summary", null, "What more or fewer rules would give"), lines.slice(1).map((line) => h("p", null, line))));
    }
    this.view.element.addEventListener("pointerdown", () => (this.used = true));
  }

  // -- trees ----------------------------------------------------------------------------------

  private steered(state = this.store.state): Steered {
    const { base, edits, entry } = state;
    const from = entry >= 0 && !edits.length ? entry : base;
    let found = this.steeredBy.get(edits);
    if (!found || found.entry !== from) this.steeredBy.set(edits, (found = new Steered(this.model, from, edits)));
    return found;
  }

  private tree(state = this.store.state): Tree {
    return state.entry < 0 ? this.steered(state).tree : this.model.tree(state.entry);
  }

  /** When the tree changes, the same place stays selected, if the new tree has it. */
  private sameNode(next: State, before: State, changed: ReadonlySet<keyof State>): State {
    if (before.node < 0 || !(changed.has("entry") || changed.has("edits") || changed.has("base"))) return next;
    const place = this.places.of(this.tree(before))[before.node];
    return { ...next, node: this.places.of(this.tree(next)).indexOf(place) };
  }

  /** What an address says of trees that there are not is left out. */
  private sound(given: Partial<State>): Partial<State> {
    const n = this.model.entries.length;
    const fits = (index: number | undefined): boolean => index === undefined || (Number.isInteger(index) && index >= -1 && index < n);
    if (!fits(given.entry) || !fits(given.base) || !fits(given.other) || (given.base ?? 0) < 0) return {};
    if (given.tab && !TABS.includes(given.tab)) delete given.tab;
    if (given.entry === -1 && !given.edits?.length) delete given.entry;
    try {
      const edited = new Steered(this.model, given.base ?? this.start.base, checkedEdits(given.edits ?? [], this.model)).tree;
      const tree = given.entry === -1 ? edited : this.model.tree(given.entry ?? this.start.entry);
      if (given.node !== undefined && !(Number.isInteger(given.node) && given.node >= -1 && given.node < tree.nNodes)) delete given.node;
      return given;
    } catch {
      return {};
    }
  }

  private cells(): number[] | null {
    const { values } = this.store.state;
    if (!Object.keys(values).length) return null;
    return this.model.columns.map((column, i) => {
      const text = values[i];
      if (column.values) return text === undefined ? -1 : Math.min(Math.max(Math.trunc(Number(text)) || 0, 0), column.values.length - 1);
      return text === undefined ? NaN : Number(text);
    });
  }

  // -- drawing --------------------------------------------------------------------------------

  private folded(tree: Tree): Folding & { folded: Set<number>; opened: Set<number> } {
    let found = this.folding.get(tree);
    if (!found) this.folding.set(tree, (found = { folded: this.firstFolding(tree), opened: new Set() }));
    return found;
  }

  /** Distributions are shown if people want them, or while there is room for them. */
  private detailed(tree: Tree): boolean {
    return this.store.state.detail ?? tree.nNodes - tree.nLeaves - this.folded(tree).folded.size <= MOST_DETAILED;
  }

  private firstFolding(tree: Tree): Set<number> {
    return tree.nLeaves > SHOWN_WHOLE ? initialFolding(tree, AT_FIRST) : new Set();
  }

  private scene(tree = this.tree(), entry = this.store.state.entry, element = this.view.element, shared: ReadonlyMap<number, string> = new Map()): Scene {
    const { state } = this.store;
    const folding = this.folded(tree);
    const scene: Scene = {
      model: this.model,
      tree,
      entry,
      direction: "right",
      detail: this.detailed(tree),
      returns: state.stability && entry >= 0 ? (this.model.stability(entry)?.returns ?? null) : null,
      shared,
      pinned: entry < 0 ? this.pinned() : new Set(),
      fresh: this.fresh,
      room: { width: element.clientWidth, height: element.clientHeight },
    };
    scene.direction = state.arrangement === "auto" ? suitable(scene, folding, element.clientWidth, element.clientHeight) : state.arrangement;
    return scene;
  }

  private pinned(): Set<number> {
    const steered = this.steered();
    const found = new Set<number>();
    for (let node = 0; node < steered.tree.nNodes; node++) {
      const here = steered.node(node);
      if (here.pinned || here.stopped) found.add(node);
    }
    return found;
  }

  private comparing(): boolean {
    const { tab, other, entry } = this.store.state;
    return tab === "compare" && other >= 0 && other !== entry;
  }

  private redraw(home: boolean): void {
    const tree = this.tree();
    const letters = new Map<number, string>();
    const otherLetters = new Map<number, string>();
    const comparing = this.comparing();
    this.parts.root.classList.toggle("cw-comparing", comparing);
    if (comparing) {
      const other = this.model.tree(this.store.state.other);
      const { kept } = difference(this.places, tree, other);
      [...kept.keys()].sort((a, b) => other.place[a] - other.place[b]).forEach((node, i) => {
        const letter = i < 26 ? String.fromCharCode(65 + i) : String(i + 1);
        otherLetters.set(node, letter);
        letters.set(kept.get(node)!, letter);
      });
      this.second.show(this.scene(other, this.store.state.other, this.second.element, otherLetters), this.folded(other), { selected: -1, lit: null, found: null }, true);
    }
    this.view.show(this.scene(tree, this.store.state.entry, this.view.element, letters), this.folded(tree), this.marks(), home);
  }

  private marks(): Marks {
    const { node, search, tab } = this.store.state;
    const tree = this.tree();
    const cells = tab === "try" ? this.cells() : null;
    let lit: Set<number> | null = null;
    if (cells) {
      const met = new Set<number>();
      this.model.router(tree).visit((column) => cells[column], (at) => met.add(at));
      lit = met;
    } else if (node > 0) {
      lit = new Set(tree.path(node));
      for (let below = node + 1; below < tree.nNodes; below++) if (tree.isBelow(below, node)) lit.add(below);
    }
    return { selected: node, lit, found: search.trim() ? this.found(search) : null };
  }

  private found(search: string): Set<number> {
    const wanted = search.trim().toLowerCase();
    const columns = new Set(this.model.columns.map((_, i) => i).filter((i) => this.model.name(i).toLowerCase().includes(wanted)));
    const nodes = new Set<number>();
    this.tree().tests.forEach((test, node) => {
      if (test && tested(test).some((column) => columns.has(column))) nodes.add(node);
    });
    return nodes;
  }

  private nextFound(): void {
    const tree = this.tree();
    const nodes = [...this.found(this.store.state.search)].sort((a, b) => tree.place[a] - tree.place[b]);
    if (!nodes.length) return;
    const now = this.store.state.node;
    const next = nodes.find((node) => now < 0 || tree.place[node] > tree.place[now]) ?? nodes[0];
    this.store.set({ node: next });
  }

  private fold(node: number, group: boolean): void {
    const { folded, opened } = this.folded(this.tree());
    if (group) {
      if (opened.has(node)) opened.delete(node);
      else opened.add(node);
    } else if (folded.has(node)) folded.delete(node);
    else folded.add(node);
    this.redraw(false);
    this.bar.update(new Set());
  }

  private unfoldAll(all: boolean): void {
    const tree = this.tree();
    const here = this.folded(tree);
    here.folded.clear();
    here.opened.clear();
    if (!all) {
      const first = tree.nLeaves > SHOWN_WHOLE ? this.firstFolding(tree) : new Set(tree.tests.flatMap((test, node) => (test && node ? [node] : [])));
      for (const node of first) here.folded.add(node);
    }
    this.redraw(true);
  }

  /** Unfold what hides a node; whether anything was hidden. */
  private uncover(node: number): boolean {
    const tree = this.tree();
    const { folded } = this.folded(tree);
    const above = tree.path(node).slice(0, -1).filter((at) => folded.has(at));
    for (const at of above) folded.delete(at);
    return above.length > 0;
  }

  // -- changes --------------------------------------------------------------------------------

  private changed(state: State, changed: ReadonlySet<keyof State>): void {
    const newTree = changed.has("entry") || changed.has("edits") || changed.has("base");
    if (newTree) {
      // first: they decide how much room the drawing has
      this.treeChanged();
      drawSummary(this.context, this.parts.tiles);
      drawLegend(this.context, this.parts.legend);
      this.drawStepper();
    }
    if (changed.has("theme")) this.dress();
    const hidden = changed.has("node") && state.node > 0 && this.uncover(state.node);
    const drawn: (keyof State)[] = ["entry", "edits", "base", "arrangement", "detail", "stability", "other"];
    const splitting = changed.has("tab") && this.parts.root.classList.contains("cw-comparing") !== this.comparing();
    if (hidden || splitting || drawn.some((key) => changed.has(key))) this.redraw(changed.has("arrangement") || splitting || this.lastTree === null);
    else this.view.mark(this.marks());
    if (state.node >= 0 && (changed.has("node") || changed.has("arrangement"))) this.view.reveal(state.node);
    if (newTree) {
      const own = state.edits.length ? { leaves: this.steered().tree.nLeaves, error: this.steered().tree.leafErrors() / Math.max(this.steered().tree.weight(0), 1e-9) } : null;
      this.front.show(state.entry, own);
    }
    this.lastTree = this.tree();
    this.bar.update(changed);
    this.tabs.show(state.tab);
    this.panels[state.tab].update(changed.has("tab") ? new Set([...changed, "entry"]) : changed);
    if (this.options.address) this.writeAddress();
  }

  /** Light or dark: as people say, else as the system does. */
  private dress(): void {
    const { theme } = this.store.state;
    this.parts.root.dataset.scheme = theme === "auto" ? (this.dark.matches ? "dark" : "light") : theme;
  }

  /** Say what is new since the tree that was shown before. */
  private treeChanged(): void {
    const before = this.lastTree;
    const tree = this.tree();
    this.fresh = new Set();
    if (!before) fill(this.parts.status, this.firstWords(tree));
    if (!before || before === tree) return;
    const { kept, added, lost } = difference(this.places, before, tree);
    if (kept.size) this.fresh = new Set(added);
    fill(this.parts.status, this.differenceWords(tree, before, kept.size, added, lost));
  }

  private firstWords(tree: Tree): string {
    const names = tree.features().map((f) => this.model.name(f));
    return names.length ? `${plural(tree.nLeaves, "leaf", "leaves")}; the tests ask for ${listed(names, 4, "and")}.` : "One leaf: the same answer for every row.";
  }

  private differenceWords(tree: Tree, before: Tree, kept: number, added: readonly number[], lost: readonly number[]): string {
    const name = (from: Tree, node: number): string => {
      const test = from.tests[node]!;
      return conditionWords({ test, lower: -Infinity, upper: test.cut, values: test.inside.length ? test.inside : null, missing: null }, this.model.columns, 3).replace(/ (≤ NaN|no value)$/, "");
    };
    const where = (node: number): string => {
      const above = pathConditions(tree, node, this.model.columns);
      return above.length ? ` where ${conditionWords(above[above.length - 1], this.model.columns, 3)}` : "";
    };
    if (!added.length && !lost.length) return "The same tests.";
    const parts: string[] = [];
    if (added.length === 1) parts.push(`adds ${name(tree, added[0])}${where(added[0])}`);
    else if (added.length) parts.push(`${plural(added.length, "new split")}`);
    if (lost.length === 1) parts.push(`gives up ${name(before, lost[0])}`);
    else if (lost.length) parts.push(`gives up ${plural(lost.length, "split")}`);
    return `From ${before.nLeaves} to ${plural(tree.nLeaves, "leaf", "leaves")}: ${parts.join(", ")}; ${kept ? plural(kept, "split") : "no split"} stay${kept > 1 ? "" : "s"}.`;
  }

  private drawStepper(): void {
    const { entry } = this.store.state;
    const { entries } = this.model;
    const leaves = this.tree().nLeaves;
    const smaller = entries.filter((e) => e.leaves < leaves);
    const down = smaller.length ? entries.find((e) => e.leaves === smaller[smaller.length - 1].leaves) : undefined;
    const up = entries.find((e) => e.leaves > leaves);
    const go = (to: number | undefined): void => {
      if (to !== undefined) this.store.set({ entry: to });
    };
    const chosen = this.model.document.chosen;
    fill(
      this.parts.stepper,
      button(icon("minus"), () => go(down?.index), { class: "cw-button cw-square", "aria-label": "Fewer leaves", disabled: !down }),
      h("span", { class: "cw-step" }, entry < 0 ? `yours: ${plural(leaves, "leaf", "leaves")}` : plural(leaves, "leaf", "leaves")),
      button(icon("plus"), () => go(up?.index), { class: "cw-button cw-square", "aria-label": "More leaves", disabled: !up }),
      entry !== chosen && button("chosen", () => go(chosen), { class: "cw-button cw-plain" }),
      entry >= 0 && this.store.state.edits.length > 0 && button("yours", () => this.store.set({ entry: -1 }), { class: "cw-button cw-plain" }),
    );
  }

  private writing = 0;

  /** A little later: browsers allow few changes of the address, and each takes time. */
  private writeAddress(): void {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.writeAddressNow(this.store.state), 150);
  }

  private writeAddressNow(state: State): void {
    const hash = toHash(state, this.start);
    if (location.hash.replace(/^#/, "") === hash) return;
    try {
      history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
    } catch {
      // a page inside another may not change its address
    }
  }

  private width = 0;

  private resized(): void {
    const { clientWidth } = this.parts.root;
    if (clientWidth === this.width) return;
    const before = this.parts.root.dataset.size;
    this.width = clientWidth;
    this.parts.root.dataset.size = clientWidth < 720 ? "narrow" : clientWidth < 1120 ? "medium" : "wide";
    this.parts.root.classList.toggle("cw-tight", clientWidth >= 1120 && clientWidth < 1400);
    if (this.lastTree === null) return;
    this.front.draw();
    this.redraw(before !== this.parts.root.dataset.size);
  }

  /** For tests: what is shown, and how the tree answers. */
  get inside(): { context: Context; view: TreeView; arrange: typeof arrange } {
    return { context: this.context, view: this.view, arrange };
  }
}
