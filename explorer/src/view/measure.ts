/** Measure: how wide a text is, and what to leave out so that it fits. */

const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
let context: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

export function textWidth(text: string, size: number, bold = false): number {
  const key = `${size}${bold ? "b" : ""}${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context ??= document.createElement("canvas").getContext("2d");
    if (!context) return text.length * size * 0.55;
    context.font = `${bold ? "600 " : ""}${size}px ${FAMILY}`;
    width = context.measureText(text).width;
    if (widths.size > 20000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** The text, or its beginning and its end with an ellipsis between: names that differ at the end still differ. */
export function cut(text: string, room: number, size: number, bold = false): string {
  if (textWidth(text, size, bold) <= room) return text;
  const letters = [...text];
  const keeping = (n: number): string => {
    const tail = Math.floor(n / 3);
    return `${letters
      .slice(0, n - tail)
      .join("")
      .trimEnd()}…${tail ? letters.slice(-tail).join("").trimStart() : ""}`;
  };
  let low = 0;
  let high = letters.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(keeping(middle), size, bold) <= room) low = middle;
    else high = middle - 1;
  }
  return keeping(low);
}

/** A name, or "name = value", of which the longer one is cut first: neither pushes the other out. */
export function cutPair([first, second]: readonly string[], room: number, size: number): string {
  if (second === undefined) return cut(first, room, size);
  const sign = " = ";
  const left = room - textWidth(sign, size);
  const [one, other] = [textWidth(first, size), textWidth(second, size)];
  if (one + other <= left) return first + sign + second;
  const half = left / 2;
  const forFirst = one <= half ? one : other <= half ? left - other : half;
  return cut(first, forFirst, size) + sign + cut(second, left - forFirst, size);
}

/** The end of a text that is too long, after an ellipsis. */
function ending(text: string, room: number, size: number, bold: boolean): string {
  if (textWidth(text, size, bold) <= room) return text;
  const letters = [...text];
  const from = (n: number): string => `…${letters.slice(n).join("").trimStart()}`;
  let low = 1;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (textWidth(from(middle), size, bold) <= room) high = middle;
    else low = middle + 1;
  }
  return from(low);
}

/** A text on one line or two, broken between words: of a very long one its beginning and its end. */
export function wrapped(text: string, first: number, second: number, size: number, bold = false): string[] {
  if (textWidth(text, size, bold) <= first) return [text];
  const words = text.split(/(?<=[ _/-])/);
  let line = "";
  let used = 0;
  while (used < words.length && textWidth((line + words[used]).trimEnd(), size, bold) <= first) line += words[used++];
  if (!used) return [cut(text, first, size, bold)];
  return [line.trimEnd(), ending(words.slice(used).join("").trimStart(), second, size, bold)];
}
