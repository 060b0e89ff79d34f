/** App: puts the parts together, and keeps the drawing, the panels and the address in step with the state. */

import { Address } from "./address";
import type { Context, Panel } from "./context";
import { Current, sound } from "./current";
import { fill, h } from "./dom";
import { drawing } from "./export/picture";
import { icon } from "./icons";
import type { PageDocument } from "./model/document";
import { Model } from "./model/model";
import { Places, difference } from "./model/places";
import type { Tree } from "./model/tree";
import { comparePanel } from "./panels/compare";
import { nodePanel } from "./panels/node";
import { reportPanel } from "./panels/report";
import { rulesPanel } from "./panels/rules";
import { steerPanel } from "./panels/steer";
import { tryPanel } from "./panels/try";
import { printed } from "./printing";
import { Stage } from "./stage";
import { type State, Store, type Tab, initialState } from "./state";
import { differenceWords, firstWords } from "./status";
import { drawStepper } from "./stepper";
import { drawLegend, drawReason, drawSummary } from "./summary";
import { tabs } from "./tabs";
import { toolbar } from "./toolbar";
import { FrontChart } from "./view/frontChart";
import type { TreeView } from "./view/treeView";
import { button } from "./widgets";

export interface Options {
  /** Whether the address holds the state: in a page of its own, not in a notebook. */
  address: boolean;
}

/** What the drawing shows; all else changes panels and marks only. */
const DRAWN: (keyof State)[] = ["entry", "edits", "base", "arrangement", "detail", "stability", "other"];

export class App {
  readonly model: Model;
  readonly store: Store;
  private readonly context: Context;
  private readonly current: Current;
  private readonly stage: Stage;
  private readonly front: FrontChart;
  private readonly panels: Record<Tab, Panel>;
  private readonly bar: ReturnType<typeof toolbar>;
  private readonly tabs: ReturnType<typeof tabs>;
  private readonly places = new Places();
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly parts = {
    tiles: h("div", { class: "cw-tiles" }),
    reason: h("div", { class: "cw-reason" }),
    legend: h("div", { class: "cw-legend", role: "group", "aria-label": "Classes", tabindex: 0 }),
    status: h("p", { class: "cw-status", "aria-live": "polite" }),
    print: h("div", { class: "cw-print" }),
    stepper: h("div", { class: "cw-stepper" }),
  };
  private shown: Tree | null = null;
  private width = 0;
  /** Whether somebody has pressed on the drawing: then the wheel zooms in a notebook too. */
  private used = false;

  constructor(
    private readonly root: HTMLElement,
    document: PageDocument,
    private readonly options: Options,
  ) {
    this.model = new Model(document);
    this.current = new Current(this.model, this.places);
    const start = initialState(Math.min(Math.max(document.chosen, 0), this.model.entries.length - 1));
    const address = options.address ? new Address(start, (given) => sound(this.model, start, given)) : null;
    this.store = new Store({ ...start, ...address?.read() }, (...change) => this.current.sameNode(...change));
    this.current.store = this.store;
    this.stage = new Stage(this.model, this.store, this.places, this.current, {
      folded: () => this.bar.update(new Set()),
      wheel: () => options.address || this.used,
    });
    this.context = {
      model: this.model,
      store: this.store,
      places: this.places,
      tree: () => this.current.tree(),
      steered: () => this.current.steered(),
      cells: () => this.current.cells(),
      drawing: () => drawing(this.stage.scene(), this.stage.folded(this.current.tree())),
    };
    this.front = new FrontChart(this.model, (entry) => this.store.set({ entry }));
    this.panels = {
      rules: rulesPanel(this.context),
      node: nodePanel(this.context),
      try: tryPanel(this.context),
      steer: steerPanel(this.context),
      compare: comparePanel(this.context),
      report: reportPanel(this.context),
    };
    this.bar = toolbar(this.context, {
      zoom: (factor) => this.stage.view.zoomBy(factor),
      fit: () => this.stage.view.fit(),
      unfold: (all) => this.stage.unfold(all),
      next: () => this.stage.nextFound(),
      found: () => this.stage.found().size,
      detailed: () => this.stage.detailed(),
    });
    this.tabs = tabs(this.panels, (tab) => this.store.set({ tab }));
    this.build(document);
    this.store.listen((state, changed) => this.changed(state, changed));
    address?.follow(this.store);
    this.dark.addEventListener("change", () => this.dress());
    new ResizeObserver(() => this.resized()).observe(root);
    if (options.address) addEventListener("beforeprint", () => printed(this.context, this.parts.print));
    this.resized();
    this.changed(this.store.state, new Set(Object.keys(this.store.state) as (keyof State)[]));
  }

  private build(document: PageDocument): void {
    const { tiles, reason, legend, status, print, stepper } = this.parts;
    const { view, second } = this.stage;
    const many = this.model.entries.length > 1;
    this.root.classList.add("cw-app");
    if (!many) this.root.classList.add("cw-single");
    const themes = { auto: "light", light: "dark", dark: "auto" } as const;
    const theme = button(icon("theme"), () => this.store.set({ theme: themes[this.store.state.theme] }), {
      class: "cw-button cw-square",
      "aria-label": "Light or dark",
      title: "Light, dark, or as the system says",
    });
    const hidden = (text: string): HTMLElement => h("h2", { class: "cw-offscreen" }, text);
    const rail = [tiles, many && this.front.element, many && stepper, reason];
    const main = [
      hidden("The tree"),
      this.bar.element,
      status,
      h("div", { class: "cw-views" }, view.element, second.element),
      legend,
    ];
    fill(
      this.root,
      h("header", { class: "cw-header" }, h("h1", null, document.title), h("div", { class: "cw-controls" }, theme)),
      h(
        "div",
        { class: "cw-body" },
        h("aside", { class: "cw-rail", "aria-label": "Trees to choose from" }, rail),
        h(this.options.address ? "main" : "div", { class: "cw-main" }, main),
        h("section", { class: "cw-side", "aria-label": "About the tree" }, hidden("About the tree"), this.tabs.element),
      ),
      print,
    );
    drawReason(document.reason, reason);
    view.element.addEventListener("pointerdown", () => (this.used = true));
  }

  private changed(state: State, changed: ReadonlySet<keyof State>): void {
    const newTree = changed.has("entry") || changed.has("edits") || changed.has("base");
    if (newTree) this.describeTree(); // first: it decides how much room the drawing has
    if (changed.has("theme")) this.dress();
    const hidden = changed.has("node") && state.node > 0 && this.stage.uncover(state.node);
    const splitting = this.root.classList.contains("cw-comparing") !== this.stage.comparing();
    this.root.classList.toggle("cw-comparing", this.stage.comparing());
    if (hidden || splitting || DRAWN.some((key) => changed.has(key))) {
      this.stage.draw(changed.has("arrangement") || splitting || this.shown === null);
    } else this.stage.mark();
    if (state.node >= 0 && (changed.has("node") || changed.has("arrangement"))) this.stage.view.reveal(state.node);
    if (newTree) this.front.show(state.entry, state.edits.length ? this.own() : null);
    this.shown = this.current.tree();
    this.bar.update(changed);
    this.tabs.show(state.tab);
    this.panels[state.tab].update(changed.has("tab") ? new Set([...changed, "entry"]) : changed);
  }

  /** The edited tree among the others. */
  private own(): { leaves: number; error: number } {
    const { tree } = this.current.steered();
    return { leaves: tree.nLeaves, error: tree.leafErrors() / Math.max(tree.weight(0), 1e-9) };
  }

  private describeTree(): void {
    const tree = this.current.tree();
    const before = this.shown;
    this.stage.fresh = new Set();
    if (!before) fill(this.parts.status, firstWords(this.model, tree));
    else if (before !== tree) {
      const found = difference(this.places, before, tree);
      if (found.kept.size) this.stage.fresh = new Set(found.added);
      fill(this.parts.status, differenceWords(this.model, before, tree, found));
    }
    drawSummary(this.context, this.parts.tiles);
    drawLegend(this.context, this.parts.legend);
    drawStepper(this.context, this.parts.stepper);
  }

  /** Light or dark: as people say, else as the system does. */
  private dress(): void {
    const { theme } = this.store.state;
    this.root.dataset.scheme = theme === "auto" ? (this.dark.matches ? "dark" : "light") : theme;
  }

  private resized(): void {
    const { clientWidth } = this.root;
    if (clientWidth === this.width) return;
    const before = this.root.dataset.size;
    this.width = clientWidth;
    this.root.dataset.size = clientWidth < 720 ? "narrow" : clientWidth < 1120 ? "medium" : "wide";
    this.root.classList.toggle("cw-tight", clientWidth >= 1120 && clientWidth < 1400);
    if (this.shown === null) return;
    this.front.draw();
    this.stage.draw(before !== this.root.dataset.size);
  }

  /** For tests: what is shown. */
  get inside(): { context: Context; view: TreeView } {
    return { context: this.context, view: this.stage.view };
  }
}
