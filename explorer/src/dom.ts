/** DOM: elements made in one call; text is always text, and nothing is ever parsed as markup. */

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

function filled<T extends Element>(element: T, props: Props | null, children: (Child | Child[])[]): T {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "style") setStyle(element as unknown as HTMLElement, value as Record<string, string>);
    else if (name === "value") (element as unknown as HTMLInputElement).value = String(value);
    else if (name === "checked") (element as unknown as HTMLInputElement).checked = true;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Styles are set one by one: the page's policy forbids style attributes in markup. */
export function setStyle(element: HTMLElement | SVGElement, style: Record<string, string>): void {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props | null = null,
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), props, children);
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props | null = null,
  ...children: (Child | Child[])[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag) as SVGElementTagNameMap[K], props, children);
}

/** Replace everything inside an element. */
export function fill(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  filled(element, null, children);
}

/** A name that may be broken after the characters that join its words. */
export function softened(name: string): (string | HTMLElement)[] {
  return name.split(/(?<=[_/.:,-])(?=\w)/).flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part]));
}

let numbered = 0;

/** An id that no other element of the page has. */
export function freshId(stem: string): string {
  numbered += 1;
  return `cw-${stem}-${numbered}`;
}
