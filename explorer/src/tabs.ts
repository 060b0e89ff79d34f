/** Tabs: the panels, one at a time. */

import type { Panel } from "./context";
import { freshId, h } from "./dom";
import { TABS, type Tab } from "./state";

const NAMES: Record<Tab, string> = {
  rules: "Rules",
  node: "Node",
  try: "Try it",
  steer: "Steer",
  compare: "Compare",
  report: "Report",
};

export function tabs(
  panels: Record<Tab, Panel>,
  choose: (tab: Tab) => void,
): { element: HTMLElement; show: (tab: Tab) => void } {
  const stem = freshId("tab");
  const heads = TABS.map((tab) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${stem}-${tab}`,
        "aria-controls": `${stem}-panel-${tab}`,
        class: "cw-tab",
        onclick: () => choose(tab),
      },
      NAMES[tab],
    ),
  );
  const bodies = TABS.map((tab) => {
    const { element } = panels[tab];
    element.id = `${stem}-panel-${tab}`;
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", `${stem}-${tab}`);
    element.tabIndex = 0;
    return element;
  });
  const list = h("div", { role: "tablist", class: "cw-tabs", "aria-label": "About the tree" }, heads);
  list.addEventListener("keydown", (event) => {
    const now = heads.findIndex((head) => head.getAttribute("aria-selected") === "true");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? TABS.length - 1
          : step
            ? (now + step + TABS.length) % TABS.length
            : -1;
    if (to < 0) return;
    event.preventDefault();
    choose(TABS[to]);
    heads[to].focus();
  });
  const show = (tab: Tab): void =>
    TABS.forEach((name, i) => {
      heads[i].setAttribute("aria-selected", String(name === tab));
      heads[i].tabIndex = name === tab ? 0 : -1;
      bodies[i].hidden = name !== tab;
    });
  return { element: h("div", { class: "cw-tabbed" }, list, bodies), show };
}
