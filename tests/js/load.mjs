/** Bundles a module of `js/` and imports it fresh, as state lives in modules. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const directory = await mkdtemp(join(tmpdir(), "chat-vitals-js-"));
const root = fileURLToPath(new URL("../../js/", import.meta.url));
let count = 0;

/** The engine is made by another build, and stays the chunk of its own that it is. */
const lazy = {
  name: "lazy",
  setup: ({ onResolve }) =>
    onResolve({ filter: /engine-/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    ),
};

/** `source` is TypeScript whose imports are relative to `js/`. */
export const load = async (source) => {
  const outfile = join(directory, `${count++}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "neutral",
    logLevel: "error",
    external: ["react"],
    plugins: [lazy],
  });
  return import(pathToFileURL(outfile));
};
