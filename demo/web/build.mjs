// Bundles the demo's two pages into one directory that any static host can serve.
// Usage, from the project root: node demo/web/build.mjs [--out target/demo-web]
//
// `chat-vitals` stays external: the chat page loads it through its import map, as a customer's page without a bundler would.

import { copyFile, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: "target/demo-web" } } });
const out = path.resolve(values.out);

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

await build({
  entryPoints: {
    chat: path.join(here, "chat/main.ts"),
    dashboard: path.join(here, "dashboard/main.ts"),
    "chat-style": path.join(here, "chat/chat.css"),
    "dashboard-style": path.join(here, "dashboard/dashboard.css"),
  },
  outdir: path.join(out, "assets"),
  bundle: true,
  format: "esm",
  target: ["chrome110", "firefox110", "safari16"],
  external: ["chat-vitals"],
  minify: true,
  sourcemap: true,
  logLevel: "warning",
});

for (const page of ["chat", "dashboard"]) {
  await copyFile(path.join(here, page, `${page}.html`), path.join(out, `${page}.html`));
}
await copyFile(path.join(here, "shared/icon.svg"), path.join(out, "assets/icon.svg"));
