import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

// web/build makes the engine's JavaScript and says where it is.
const engine = process.env.CARDAN_ENGINE_JS ?? fileURLToPath(new URL("./engine/engine.js", import.meta.url));

/** The tags that `cardan view` looks for: a style sheet in the head, the scene and the script at the end of the body. */
const tags: Plugin = {
  name: "cardan-tags",
  enforce: "post",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html
      .replace(/\s*<script type="module"[^>]*><\/script>/, "")
      .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
      .replace("</head>", '<link rel="stylesheet" href="./app.css">\n</head>')
      .replace("</body>", '<!--cardan:boot-->\n<script type="module" src="./app.js"></script>\n</body>'),
  },
};

/** The script can stand inside a page: nothing in it ends a script element or begins a comment. */
const inlinable: Plugin = {
  name: "cardan-inlinable",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
    }
  },
};

export default defineConfig({
  base: "./",
  resolve: { alias: { "cardan-engine": engine } },
  plugins: [tags, inlinable],
  // A classic worker: browsers refuse modules from a Blob in a page that was opened from the disk.
  worker: { format: "iife" },
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    rollupOptions: { output: { entryFileNames: "app.js", assetFileNames: "app.[ext]", codeSplitting: false } },
  },
});
