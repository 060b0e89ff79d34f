// One script and one style sheet, into the Python package: nothing is loaded when the page is opened.
import { defineConfig } from "vite";

export default defineConfig({
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
