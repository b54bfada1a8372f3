/** The page of a client as its author would ship it. May touch: sources and packages, for reading. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const clients = fileURLToPath(new URL("../", import.meta.url));

const entryOf = (name) => ["page.tsx", "page.ts"].map((file) => `${clients}${name}/${file}`).find(existsSync);

/** `tests/clients/<name>/page.ts(x)` and all it imports, as `{ js, css }`. */
export const bundle = async (name) => {
  const result = await build({
    entryPoints: [entryOf(name)],
    outfile: "page.js",
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    minify: true,
    keepNames: true,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".woff2": "dataurl", ".woff": "dataurl", ".ttf": "dataurl", ".svg": "dataurl", ".png": "dataurl" },
  });
  const text = (ending) => result.outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return { js: text(".js"), css: text(".css") };
};
