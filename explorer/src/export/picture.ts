/** Picture: the tree as a file that any program can show. */

import { s } from "../dom";
import { arrange } from "../view/arrange";
import type { Folding } from "../view/boxes";
import { drawCard } from "../view/cards";
import { drawLabel, drawRibbon, links } from "../view/ribbons";
import type { Scene } from "../view/scene";

const EDGE = 16;

/** In ink on white paper, whatever the page looks like; without the marks of a moment. */
const STYLE = `
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;font-size:12px;fill:#1d1b18}
.cw-name{font-size:13px;font-weight:600}.cw-words{font-size:13px}.cw-small{font-size:11px}.cw-faint{fill:#5d574e}
.cw-paper{fill:#fff;stroke:#cfc8bb}.cw-stack{fill:#f1ede5;stroke:#cfc8bb}.cw-edge{fill:none;stroke-width:1.2}
.cw-frame{fill:none;stroke:#1d1b18;stroke-opacity:.25;stroke-width:.5}.cw-axis{stroke:#8b8478;fill:none}
.cw-cut{stroke:#1d1b18;stroke-width:1.5;fill:none}.cw-cut-head{fill:#1d1b18}.cw-ribbon path{fill-opacity:.6;stroke-opacity:.6;stroke-width:.7}
.cw-others{fill:#8b8478}.cw-ribbon .cw-thread{stroke:#a49c8f;fill:none}.cw-label{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.cw-pull-up,.cw-pull-down{fill:#6b645a}.cw-meter{fill:#e6e0d5}.cw-level{fill:#6b645a}.cw-ring,.cw-fold,.cw-letter{display:none}.cw-pin{fill:#1d1b18}`;

/** The whole tree as it is unfolded, on a canvas of its own. */
export function drawing(scene: Scene, folding: Folding): SVGSVGElement {
  const drawn = arrange(scene, folding);
  const [width, height] = [Math.ceil(drawn.width + 2 * EDGE), Math.ceil(drawn.height + 2 * EDGE)];
  const all = links(drawn);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = STYLE;
  return s(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `${-EDGE} ${-EDGE} ${width} ${height}`,
      class: "cw-export",
    },
    style,
    s("rect", { x: -EDGE, y: -EDGE, width, height, fill: "#ffffff" }),
    s(
      "g",
      null,
      all.map((link) => drawRibbon(scene, link)),
    ),
    s(
      "g",
      null,
      all.map((link) => drawLabel(scene, link)),
    ),
    s(
      "g",
      null,
      drawn.placed.map((placed) => {
        const card = drawCard(scene, placed);
        card.setAttribute("transform", `translate(${placed.x} ${placed.y})`);
        return card;
      }),
    ),
  );
}

export function drawingText(svg: SVGSVGElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

/** Twice as many dots as the drawing has points, up to what a browser can hold. */
export async function toPng(svg: SVGSVGElement): Promise<Blob> {
  const [width, height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
  const scale = Math.min(2, 16000 / Math.max(width, height), Math.sqrt(60e6 / (width * height)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawingText(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large for this browser."))),
      "image/png",
    );
  });
}
