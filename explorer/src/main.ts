/** Main: opens the document of the page, or one that a notebook hands over. */

import { App } from "./app";
import { h } from "./dom";
import { type PageDocument, checked, readDocument } from "./model/document";
import * as pieces from "./pieces";
import "./style/base.css";
import "./style/frame.css";
import "./style/rail.css";
import "./style/widgets.css";
import "./style/panels.css";
import "./style/toolbar.css";
import "./style/tree.css";
import "./style/print.css";

/** Show a document inside an element; in a notebook the address is left alone. */
export function mount(host: HTMLElement, given: PageDocument, options = { address: false }): App {
  return new App(host, checked(given), options);
}

export { pieces };

async function open(): Promise<void> {
  const host = document.getElementById("clearwood");
  const source = document.getElementById("clearwood-document");
  if (!host || !source) return;
  try {
    const app = mount(host, await readDocument(source), { address: true });
    Object.assign(globalThis, { clearwood: { app, pieces } });
    host.dataset.ready = "true";
  } catch (error) {
    host.append(h("p", { class: "cw-failure" }, `This page cannot be shown: ${(error as Error).message}`));
    throw error;
  }
}

void open();
