// One script and one style sheet, into the Python package: nothing is loaded when the page is opened.
import { readFileSync } from "node:fs";
import { type Plugin, defineConfig } from "vite";

/** The licences of what is bundled, at the head of the script: they ask to go where the code goes. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const names = new Set(
          Object.keys(chunk.modules).flatMap((id) => /node_modules\/([^/]+)\//.exec(id)?.[1] ?? []),
        );
        const holders = new Map<string, string[]>();
        for (const name of [...names].sort()) {
          const text = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim();
          holders.set(text, [...(holders.get(text) ?? []), name]);
        }
        const parts = [...holders].map(([text, packages]) => `${packages.join(", ")}:\n\n${text}`);
        chunk.code = `/*! The page of Clearwood, BSD-3-Clause. It contains\n\n${parts.join("\n\n\n")}\n*/\n${chunk.code}`;
      }
    },
  };
}

export default defineConfig({
  plugins: [licences()],
  build: {
    outDir: process.env.EXPLORER_OUT ?? "../src/clearwood/view/page/bundle",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: "chrome111",
    assetsInlineLimit: 0,
    lib: {
      entry: "src/main.ts",
      name: "clearwoodExplorer",
      formats: ["iife"],
      fileName: () => "explorer.js",
      cssFileName: "explorer",
    },
  },
});
