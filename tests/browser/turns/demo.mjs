/**
 * The demo server on a free port with a database of its own, and what its collector has stored.
 * May touch: a process, a temporary folder. DEMO_SERVER, SDK and DEMO_WEB name another build than the usual.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const built = (variable, path) => process.env[variable] ?? join(root, path);

/** Asks until `find` gives something. */
export const until = async (find, what, timeout = 10_000) => {
  const deadline = Date.now() + timeout;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`in vain awaited: ${what()}`);
    await pause(20);
  }
};

/** `more`: options of the server beside those that every test needs. */
export const startDemo = async (more = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "chat-vitals-demo-"));
  const options = {
    "--port": "0",
    "--data": join(folder, "vitals.sqlite"),
    "--web": built("DEMO_WEB", "target/demo-web"),
    "--sdk": built("SDK", "dist"),
    "--scenario": "instant",
    ...more,
  };
  const server = spawn(built("DEMO_SERVER", "target/debug/demo-server"), Object.entries(options).flat(), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(server, "exit");
  const lines = createInterface({ input: server.stdout });
  const [line] = await Promise.race([once(lines, "line"), exit]);
  if (typeof line !== "string") throw new Error("the demo server stopped before it listened");
  const origin = line.split("demo: ")[1].trim();

  /** What the collector has of turns that began at or after `since` (epoch ms), the oldest first. */
  const turnsSince = async (since) => {
    const { turns } = await (await fetch(`${origin}/vitals/turns?limit=1000`)).json();
    const started = ({ turn }) => turn.startedAt;
    return turns.filter((stored) => started(stored) >= since).sort((a, b) => started(a) - started(b));
  };

  return {
    origin,
    turnsSince,
    async stop() {
      server.kill();
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
