/**
 * What a browser and all its processes take of the machine's memory, where the engine itself does not tell. Coarse: what
 * it has let go of it may keep for later. May touch: `/proc`, for reading.
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const KIB = 1024;
/** A collection comes when there is reason to, and memory goes back some time after it. */
const LOOKS = 12;
const GAP = 250;

/** pid → { parent, resident } of all processes. */
const processes = async () => {
  const found = new Map();
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    // It may have ended since.
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const number = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
    found.set(Number(pid), { parent: number("PPid"), resident: number("VmRSS") * KIB });
  }
  return found;
};

const resident = async (root) => {
  const all = await processes();
  const isOf = (pid) => pid === root || (all.has(pid) && isOf(all.get(pid).parent));
  return [...all].filter(([pid]) => isOf(pid)).reduce((sum, [, one]) => sum + one.resident, 0);
};

/** The least that is seen while the page makes garbage, for the engine to collect. */
const settled = async (page, pid) => {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS; look++) {
    await page.evaluate(() => {
      for (let i = 0; i < 20; i++) globalThis.garbage = Array.from({ length: 100_000 }, () => ({}));
      globalThis.garbage = undefined;
    });
    await pause(GAP);
    least = Math.min(least, await resident(pid));
  }
  return least;
};

/** Bytes by which the processes of the browser `pid` have grown over `work()`, which was done once before. */
export const residentGrowth = async (page, pid, work) => {
  await work();
  const before = await settled(page, pid);
  await work();
  return (await settled(page, pid)) - before;
};
