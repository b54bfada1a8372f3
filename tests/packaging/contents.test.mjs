// What is in the package, and that importing it does nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { filesBelow, installPackage, root } from "./installed.mjs";

const { app, home, manifest, doors } = installPackage();
const files = filesBelow(home);
const read = (file) => readFileSync(path.join(home, file), "utf8");

/** Relative modules that a file names. */
const references = (file) =>
  [...read(file).matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g)].map(([, name]) =>
    path.posix.join(path.posix.dirname(file), name),
  );

/** `starts` and all that they name, one naming the next. */
function reachable(starts, fileOf = (name) => name) {
  const seen = new Set();
  const waiting = [...starts];
  for (const file of waiting) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (/\.(js|d\.ts)$/.test(file)) waiting.push(...references(file).map(fileOf));
  }
  return seen;
}

test("every file of the package is a door, is reached from one, or is a text for people", () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  const exported = targets.map((target) => target.replace("./", ""));
  const code = reachable(exported.filter((file) => !file.endsWith(".d.ts")));
  const types = reachable(
    exported.filter((file) => file.endsWith(".d.ts")),
    (name) => name.replace(/\.js$/, ".d.ts"),
  );
  const texts = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];
  assert.deepEqual(files, [...new Set([...code, ...types, ...texts])].sort());
});

test("the doors of the interface are there", () => {
  for (const door of ["chat-vitals", "chat-vitals/url", "chat-vitals/slim", "chat-vitals/tap"]) {
    assert.ok(doors.includes(door), `${door} is missing`);
  }
  assert.ok(manifest.exports["./schema.json"] && manifest.exports["./chat-vitals.wasm"]);
});

test("`types` comes first in every door: the conditions are tried in order, and `default` always holds", () => {
  const conditions = Object.values(manifest.exports).filter((target) => typeof target !== "string");
  assert.ok(conditions.length > 0);
  for (const target of conditions) assert.deepEqual(Object.keys(target), ["types", "default"]);
});

test("the default door starts the engine by a dynamic import alone: the first bundle holds no wasm", () => {
  const first = new Set();
  const waiting = ["index.js"];
  for (const file of waiting) {
    first.add(file);
    const statics = [...read(file).matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)].map(([, name]) => name);
    waiting.push(...statics.filter((name) => !first.has(name)));
  }
  for (const file of first) assert.ok(read(file).length < 20_000, `${file} is too big to be without the engine`);
});

for (const door of doors) {
  test(`importing ${door} in Node replaces no global, prints nothing and keeps nothing running`, () => {
    const script = `
      const before = Object.getOwnPropertyDescriptors(globalThis);
      await import(${JSON.stringify(door)});
      const after = Object.getOwnPropertyDescriptors(globalThis);
      const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (name) => !Object.is(before[name]?.value, after[name]?.value) || before[name]?.get !== after[name]?.get,
      );
      if (changed.length) throw new Error("changed: " + changed);`;
    writeFileSync(path.join(app, "probe.mjs"), script);
    const printed = execFileSync("node", ["probe.mjs"], { cwd: app, timeout: 20_000, encoding: "utf8" });
    assert.equal(printed, "");
  });
}

test("the classic script is ASCII, can stand in HTML, and offers ChatVitals.init", () => {
  const script = read("chat-vitals.iife.js");
  assert.match(script, /^[\n\x20-\x7e]*$/, "a wrong charset must not change it");
  assert.doesNotMatch(script, /<\/script|<!--/i);
  const context = vm.createContext({});
  vm.runInContext(script, context);
  assert.equal(vm.runInContext("typeof ChatVitals.init", context), "function");
});

test("types resolve for a strict application, with and without a bundler", () => {
  const uses = doors.map((door, index) => `import * as door${index} from "${door}";\nvoid door${index};`);
  writeFileSync(path.join(app, "uses.ts"), `${uses.join("\n")}\n`);
  const tsc = path.join(root, "node_modules/.bin/tsc");
  for (const [module, resolution] of [
    ["esnext", "bundler"],
    ["nodenext", "nodenext"],
  ]) {
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      module,
      "--moduleResolution",
      resolution,
      "--jsx",
      "react-jsx",
    ];
    const library = ["--target", "es2022", "--lib", "es2023,dom,dom.iterable,dom.asynciterable", "--types", ""];
    const run = () => execFileSync(tsc, [...options, ...library, "uses.ts"], { cwd: app, encoding: "utf8" });
    try {
      run();
    } catch (error) {
      assert.fail(`${resolution}: ${error.stdout}`);
    }
  }
});
