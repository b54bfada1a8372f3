// Bundlers with no setting of their own emit exactly what they should, and the wasm survives them.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { filesBelow, installPackage, root } from "./installed.mjs";

const { app, home, doors } = installPackage();
const wasm = readFileSync(path.join(root, "js/wasm/chat_vitals_bg.wasm"));

/** An application's entry file that starts the door it imports. */
function entry(door) {
  const folder = path.join(app, `uses-${path.posix.basename(door)}`);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "main.js");
  writeFileSync(file, `import { init } from "${door}";\nglobalThis.vitals = init({});\n`);
  writeFileSync(path.join(folder, "index.html"), '<!doctype html><script type="module" src="./main.js"></script>');
  return { folder, file, out: path.join(folder, "out") };
}

async function esbuildApp({ file, out }, options = {}) {
  await esbuild({ entryPoints: [file], outdir: out, bundle: true, format: "esm", logLevel: "error", ...options });
  return filesBelow(out);
}

async function viteApp({ folder, out }) {
  const build = { outDir: out, emptyOutDir: true, assetsInlineLimit: 0, minify: true };
  await vite({ root: folder, configFile: false, logLevel: "error", build });
  return filesBelow(out);
}

const ofType = (files, extension) => files.filter((file) => file.endsWith(extension));

test("esbuild: the default door is a small bundle and one engine chunk, without a wasm file", async () => {
  const app = entry("chat-vitals");
  const files = await esbuildApp(app, { splitting: true, minify: true });
  assert.deepEqual(ofType(files, ".wasm"), []);
  const sizes = files.map((file) => readFileSync(path.join(app.out, file)).length);
  assert.equal(sizes.filter((size) => size > wasm.length).length, 1, "one chunk holds the wasm");
  assert.ok(readFileSync(path.join(app.out, "main.js")).length < wasm.length, "and it is not the first");
});

test("vite: the default door emits no wasm file", async () => {
  assert.deepEqual(ofType(await viteApp(entry("chat-vitals")), ".wasm"), []);
});

test("vite: the url door emits exactly one wasm file, the package's own", async () => {
  const app = entry("chat-vitals/url");
  const emitted = ofType(await viteApp(app), ".wasm");
  assert.equal(emitted.length, 1);
  assert.deepEqual(readFileSync(path.join(app.out, emitted[0])), readFileSync(path.join(home, "chat-vitals.wasm")));
});

test("a bare import of the default door is dropped, one of the auto door is kept", async () => {
  for (const [door, isKept] of [
    ["chat-vitals", false],
    ["chat-vitals/auto", true],
  ]) {
    if (!doors.includes(door)) continue;
    const file = path.join(app, "bare.js");
    writeFileSync(file, `import "${door}";\n`);
    const { outputFiles } = await esbuild({
      entryPoints: [file],
      bundle: true,
      format: "esm",
      write: false,
      logLevel: "error",
    });
    assert.equal(outputFiles[0].text.includes("("), isKept, door);
  }
});

for (const charset of ["ascii", "utf8"]) {
  test(`the wasm as text is the same after esbuild with charset ${charset}`, async () => {
    const outfile = path.join(app, `bytes-${charset}.mjs`);
    const source = path.join(root, "js/wasm/bytes.js");
    await esbuild({ entryPoints: [source], outfile, bundle: true, format: "esm", charset, minify: true });
    const { bytes } = await import(pathToFileURL(outfile));
    assert.ok(Buffer.from(bytes()).equals(wasm));
  });
}

test("the wasm as text is the same after vite", async () => {
  const out = path.join(app, "bytes-vite");
  const lib = { entry: path.join(root, "js/wasm/bytes.js"), formats: ["es"], fileName: "bytes" };
  await vite({ root: app, configFile: false, logLevel: "error", build: { outDir: out, lib, minify: true } });
  const [file] = filesBelow(out);
  const { bytes } = await import(pathToFileURL(path.join(out, file)));
  assert.ok(Buffer.from(bytes()).equals(wasm));
});
