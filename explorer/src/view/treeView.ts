/** TreeView: a tree that one can move, fold, and walk through with the keyboard; only what is in sight is drawn. */

import { select } from "d3-selection";
import { type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from "d3-zoom";
import { freshId, h, s, setStyle } from "../dom";
import type { Places } from "../model/places";
import { arrange } from "./arrange";
import type { Box, Folding } from "./boxes";
import { drawCard } from "./cards";
import type { Direction, Layout, Placed, Size } from "./layout";
import { LinkLayer } from "./linkLayer";
import { NARROWEST, PLAIN, drawBrick, drawNarrow } from "./mapCards";
import { overview } from "./overview";
import { type Link, links } from "./ribbons";
import { type Scene, answerOf } from "./scene";
import { MAP_MARGIN, MAP_ZOOM, ZOOM, home, revealed, sight, whole } from "./viewport";
import { walked } from "./walking";

/** More boxes than this in sight are drawn without words. */
const MOST_CARDS = 220;

export interface Marks {
  selected: number;
  /** Nodes on a lit path. */
  lit: ReadonlySet<number> | null;
  /** Nodes that a search found. */
  found: ReadonlySet<number> | null;
}

export interface TreeEvents {
  select(node: number): void;
  fold(node: number, group: boolean): void;
  /** Whether the room is so small that a whole tree matters more than its words. */
  small: () => boolean;
  /** Whether the mouse wheel zooms without a key held. */
  wheel: () => boolean;
}

export class TreeView {
  readonly element: HTMLElement;
  private readonly svg: SVGSVGElement;
  private readonly stage: SVGGElement;
  private readonly layers: Record<"overview" | "ribbons" | "labels" | "cards", SVGGElement>;
  private readonly zoom: ZoomBehavior<SVGSVGElement, unknown>;
  private transform: ZoomTransform = zoomIdentity;
  private scene: Scene | null = null;
  private layout: Layout | null = null;
  private links: Link[] = [];
  private readonly linkLayer: LinkLayer;
  private marks: Marks = { selected: -1, lit: null, found: null };
  /** Cards in sight, by the place of their box. */
  private cards = new Map<string, { g: SVGGElement; placed: Placed }>();
  private keys = new Map<Box, string>();
  private pending = 0;
  private readonly idStem = freshId("node");

  constructor(
    private readonly places: Places,
    private readonly events: TreeEvents,
    label: string,
  ) {
    this.layers = {
      overview: s("g", { class: "cw-overview" }),
      ribbons: s("g", { class: "cw-ribbons" }),
      labels: s("g", { class: "cw-labels", "aria-hidden": "true" }),
      cards: s("g", { class: "cw-cards" }),
    };
    this.linkLayer = new LinkLayer(this.layers.ribbons, this.layers.labels);
    this.stage = s("g", null, Object.values(this.layers));
    this.svg = s("svg", { class: "cw-drawing", role: "presentation" }, this.stage);
    this.element = h("div", { class: "cw-tree", role: "tree", tabindex: 0, "aria-label": label }, this.svg);
    this.zoom = zoom<SVGSVGElement, unknown>()
      .scaleExtent(ZOOM)
      .filter((event: Event & { ctrlKey?: boolean; metaKey?: boolean; button?: number }) => {
        if (this.scene?.direction === "list") return false;
        if (event.type === "wheel") return Boolean(event.ctrlKey || event.metaKey || this.events.wheel());
        return !event.button;
      })
      .on("zoom", ({ transform }: { transform: ZoomTransform }) => {
        this.transform = transform;
        this.place();
        this.schedule();
      });
    select(this.svg).call(this.zoom).on("dblclick.zoom", null);
    this.svg.addEventListener("click", (event) => this.clicked(event, false));
    this.svg.addEventListener("dblclick", (event) => this.clicked(event, true));
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.element.addEventListener("scroll", () => this.schedule());
  }

  /** Draw a tree. `home` moves to the root; otherwise what was in sight stays in place as far as it can. */
  show(scene: Scene, folding: Folding, marks: Marks, home: boolean): void {
    const before = this.layout?.placed[0];
    const sameWay = this.scene?.direction === scene.direction;
    this.scene = scene;
    this.layout = arrange(scene, folding);
    const order = this.layout.placed.map(({ box }) => box);
    this.links = links(this.layout);
    this.keys = this.keyed(order);
    this.marks = marks;
    const list = scene.direction === "list";
    this.zoom.scaleExtent(scene.direction === "map" ? [1, MAP_ZOOM] : ZOOM);
    this.element.classList.toggle("cw-list", list);
    this.svg.setAttribute("height", list ? String(this.layout.height + 2) : "100%");
    this.svg.setAttribute("width", "100%");
    this.linkLayer.clear();
    this.layers.overview.replaceChildren();
    if (!sameWay) {
      this.layers.cards.replaceChildren();
      this.cards.clear();
    }
    if (order.length > MOST_CARDS && scene.direction !== "map")
      this.layers.overview.append(...overview(scene, this.layout, this.links));
    if (list) {
      this.transform = zoomIdentity.translate(1, 1);
      this.stage.setAttribute("transform", this.transform.toString());
      if (home) this.element.scrollTop = 0;
    } else if (home || !sameWay || !before) this.home();
    else {
      // the root stays where it was, so that what two trees share does not jump
      const now = this.layout.placed[0];
      const { k, x, y } = this.transform;
      if (scene.direction !== "map")
        this.jump(zoomIdentity.translate(x + (before.x - now.x) * k, y + (before.y - now.y) * k).scale(k));
    }
    this.refresh(true);
  }

  /** Change what is selected, lit and found, without a new drawing. */
  mark(marks: Marks): void {
    this.marks = marks;
    this.decorate();
  }

  private keyed(order: readonly Box[]): Map<Box, string> {
    const places = this.places.of(this.scene!.tree);
    return new Map(
      order.map((box) => [box, box.members.length > 1 ? `${places[box.node]}+` : String(places[box.node])]),
    );
  }

  /** Move the stage; a map is stretched by drawing it anew, so that its words keep their size. */
  private place(): void {
    const { x } = this.transform;
    this.stage.setAttribute(
      "transform",
      this.scene?.direction === "map" ? `translate(${x} ${MAP_MARGIN})` : this.transform.toString(),
    );
  }

  // -- what is in sight ------------------------------------------------------------------------

  private schedule(): void {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.refresh(false);
    });
  }

  private get room(): Size {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }

  /** What part of the drawing is seen. */
  private sight(): { left: number; right: number; top: number; bottom: number } {
    if (this.scene?.direction !== "list") return sight(this.transform, this.room);
    const { scrollTop } = this.element;
    return { left: 0, right: this.room.width, top: scrollTop - 200, bottom: scrollTop + this.room.height + 200 };
  }

  private refresh(redraw: boolean): void {
    const { scene, layout: drawn } = this;
    if (!scene || !drawn) return;
    if (scene.direction === "map") {
      this.drawMap(scene, drawn);
      this.decorate();
      return;
    }
    const { left, right, top, bottom } = this.sight();
    const seen = (p: Placed): boolean =>
      p.x <= right && p.x + p.width >= left && p.y <= bottom && p.y + p.height >= top;
    let inSight = drawn.placed.filter(seen);
    const many = inSight.length > MOST_CARDS;
    this.element.classList.toggle("cw-far", many);
    if (many) inSight = drawn.placed.filter(({ box }) => box.members.includes(this.marks.selected) || !box.node);
    this.drawCards(scene, inSight, redraw);
    this.linkLayer.show(scene, many ? [] : this.links, seen);
    this.decorate();
  }

  private drawMap(scene: Scene, drawn: Layout): void {
    const { k, x } = this.transform;
    const { clientWidth } = this.element;
    this.element.classList.remove("cw-far");
    this.linkLayer.clear();
    this.layers.cards.replaceChildren();
    this.cards = new Map();
    const narrow: Placed[] = [];
    for (const placed of drawn.placed) {
      const here = { ...placed, x: placed.x * k, width: placed.width * k };
      const selected = placed.box.members.includes(this.marks.selected);
      if (!selected && (here.width < NARROWEST || here.x + here.width < -x || here.x > clientWidth - x)) continue;
      if (!selected && here.width < PLAIN) {
        narrow.push(here);
        continue;
      }
      // what begins to the left of the view has its words in view
      const hidden = Math.max(0, Math.min(-x - here.x, here.width - 40));
      const g = drawBrick(scene, { ...here, width: here.width - hidden });
      this.describe(scene, placed, g);
      setStyle(g, { transform: `translate(${here.x + hidden}px, ${here.y}px)` });
      this.layers.cards.append(g);
      this.cards.set(this.keys.get(placed.box)!, { g, placed });
    }
    this.layers.ribbons.append(...drawNarrow(scene, narrow));
  }

  private drawCards(scene: Scene, inSight: readonly Placed[], redraw: boolean): void {
    const kept = new Map<string, { g: SVGGElement; placed: Placed }>();
    for (const placed of inSight) {
      const key = this.keys.get(placed.box)!;
      const old = this.cards.get(key);
      let g = old?.g;
      if (!g || redraw) {
        const fresh = drawCard(scene, placed);
        if (g) {
          g.replaceChildren(...fresh.childNodes);
          g.setAttribute("class", fresh.getAttribute("class") ?? "");
        } else {
          g = fresh;
          this.layers.cards.append(g);
          if (redraw && this.cards.size) {
            g.classList.add("cw-arriving");
            setTimeout(() => g?.classList.remove("cw-arriving"), 20);
          }
        }
        this.describe(scene, placed, g);
      }
      setStyle(g, { transform: `translate(${placed.x}px, ${placed.y}px)` });
      kept.set(key, { g, placed });
    }
    for (const [key, { g }] of this.cards) if (!kept.has(key)) g.remove();
    this.cards = kept;
  }

  private describe(scene: Scene, { box }: Placed, g: SVGGElement): void {
    const siblings = box.parent?.children ?? [box];
    g.setAttribute("id", `${this.idStem}-${box.node}`);
    g.setAttribute("role", "treeitem");
    g.setAttribute("aria-level", String(box.depth + 1));
    g.setAttribute("aria-posinset", String(siblings.indexOf(box) + 1));
    g.setAttribute("aria-setsize", String(siblings.length));
    if (scene.tree.isLeaf(box.node)) g.removeAttribute("aria-expanded");
    else g.setAttribute("aria-expanded", String(!box.folded));
  }

  private decorate(): void {
    const { selected, lit, found } = this.marks;
    const onPath = (box: Box): boolean => lit === null || box.members.some((node) => lit.has(node));
    for (const { g, placed } of this.cards.values()) {
      const { box } = placed;
      const here = box.members.includes(selected);
      g.classList.toggle("cw-selected", here);
      g.classList.toggle("cw-lit", lit !== null && onPath(box));
      g.classList.toggle("cw-dim", found ? !found.has(box.node) : !onPath(box));
      g.classList.toggle("cw-found", Boolean(found?.has(box.node)));
      g.classList.toggle("cw-fresh", this.scene?.fresh.has(box.node) ?? false);
      g.setAttribute("aria-selected", String(here));
      if (here) this.element.setAttribute("aria-activedescendant", g.id);
    }
    this.layers.ribbons.classList.toggle("cw-dim", this.scene?.direction === "map" && (lit !== null || found !== null));
    this.linkLayer.dim((box) => Boolean(found) || !onPath(box));
  }

  // -- moving about ----------------------------------------------------------------------------

  private jump(to: ZoomTransform): void {
    select(this.svg).call(this.zoom.transform, to);
  }

  /** The whole tree if it can be read then, else its root at a size that can. */
  home(): void {
    if (this.layout?.placed.length) this.jump(home(this.layout, this.room, this.events.small()));
  }

  /** The whole tree, however small. */
  fit(): void {
    if (this.layout && this.scene?.direction !== "list") this.jump(whole(this.layout, this.room));
  }

  zoomBy(factor: number): void {
    if (this.scene?.direction !== "list") select(this.svg).call(this.zoom.scaleBy, factor);
  }

  /** Bring a node into sight, with as little movement as will do. */
  reveal(node: number): void {
    const placed = this.layout?.placed.find(({ box }) => box.members.includes(node));
    if (!placed || !this.layout) return;
    if (this.scene?.direction === "list") this.scrollTo(placed);
    else {
      const to = revealed(placed, this.layout, this.transform, this.room);
      if (to !== this.transform) this.jump(to);
    }
  }

  private scrollTo({ y, height }: Placed): void {
    const { scrollTop } = this.element;
    if (y < scrollTop + 8) this.element.scrollTop = y - 40;
    else if (y + height > scrollTop + this.room.height - 8) this.element.scrollTop = y + height - this.room.height + 40;
  }

  // -- what people do --------------------------------------------------------------------------

  private clicked(event: Event, twice: boolean): void {
    const target = event.target as Element;
    const card = target.closest(".cw-card");
    const found = card && [...this.cards.values()].find(({ g }) => g === card);
    if (!found) {
      if (!twice && this.element.classList.contains("cw-far")) this.approach(event as MouseEvent);
      return;
    }
    const { box } = found.placed;
    const group = box.members.length > 1;
    if (twice || target.closest(".cw-fold")) {
      if (twice !== Boolean(target.closest(".cw-fold")) && (group || !this.scene?.tree.isLeaf(box.node))) {
        this.events.fold(group ? this.scene!.tree.parent[box.node] : box.node, group);
      }
    } else this.events.select(box.node);
  }

  /** From afar, a click moves near. */
  private approach(event: MouseEvent): void {
    const bounds = this.svg.getBoundingClientRect();
    const [x, y] = this.transform.invert([event.clientX - bounds.left, event.clientY - bounds.top]);
    this.jump(zoomIdentity.translate(bounds.width / 2 - x * 0.8, bounds.height / 2 - y * 0.8).scale(0.8));
  }

  private pressed(event: KeyboardEvent): void {
    if (!this.scene || !this.layout || event.altKey || event.ctrlKey || event.metaKey) return;
    const known = walked(event.key, {
      tree: this.scene.tree,
      boxes: this.layout.placed.map(({ box }) => box),
      selected: this.marks.selected,
      select: (node) => this.events.select(node),
      toggle: (box) => this.toggle(box),
      zoom: (factor) => this.zoomBy(factor),
      fit: () => this.fit(),
    });
    if (!known) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Fold or unfold a box, or the group that it is; a leaf is selected. */
  private toggle(box: Box): void {
    const { tree } = this.scene!;
    if (box.members.length > 1) this.events.fold(tree.parent[box.node], true);
    else if (tree.isLeaf(box.node)) this.events.select(box.node);
    else this.events.fold(box.node, false);
  }

  /** The nodes that are shown, for those who ask: their classes and places. */
  get shown(): { node: number; answer: number; x: number; y: number }[] {
    return (this.layout?.placed ?? []).map(({ box, x, y }) => ({
      node: box.node,
      answer: answerOf(this.scene!, box),
      x,
      y,
    }));
  }

  get direction(): Direction {
    return this.scene?.direction ?? "down";
  }
}
