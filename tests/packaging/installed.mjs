// An application with the package installed, as from the registry: from `npm pack`, not from `dist/`.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";

export const root = path.resolve(import.meta.dirname, "../..");

/** Packs `dist/` and unpacks it into the `node_modules` of a new application, removed after the tests. */
export function installPackage() {
  const app = mkdtempSync(path.join(tmpdir(), "chat-vitals-app-"));
  after(() => rmSync(app, { recursive: true, force: true }));
  const home = path.join(app, "node_modules/chat-vitals");
  mkdirSync(home, { recursive: true });
  const report = execFileSync("npm", ["pack", "--json", "--pack-destination", app, path.join(root, "dist")]);
  const [{ filename }] = JSON.parse(report);
  execFileSync("tar", ["-xzf", path.join(app, filename), "--strip-components=1", "-C", home]);
  for (const peer of ["react", "@types"]) {
    symlinkSync(path.join(root, "node_modules", peer), path.join(app, "node_modules", peer), "dir");
  }
  writeFileSync(path.join(app, "package.json"), '{ "type": "module", "private": true }\n');
  const manifest = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
  return { app, home, manifest, doors: doorsOf(manifest) };
}

/** Paths below `folder`, sorted. */
export function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((file) => path.relative(folder, path.join(file.parentPath, file.name))).sort();
}

/** What can be imported as a module: `["chat-vitals", "chat-vitals/auto", …]`. */
function doorsOf(manifest) {
  const modules = Object.entries(manifest.exports).filter(([, target]) => target.types);
  return modules.map(([door]) => path.posix.join(manifest.name, door));
}
