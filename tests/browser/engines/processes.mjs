/** Programs that end with this process, however it ends. May touch: processes. */
import { spawn } from "node:child_process";

const running = new Set();

const killAll = () => {
  for (const stop of running) stop();
};
process.on("exit", killAll);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => {
    killAll();
    process.kill(process.pid, signal);
  });
}

/** Starts a program in a group of its own, so that what it starts ends with it. */
export const start = (program, args, options) => {
  const child = spawn(program, args, { ...options, detached: true });
  const stop = () => {
    running.delete(stop);
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  };
  running.add(stop);
  const failed = new Promise((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program} ended (${code}) before it was ready`)));
  });
  failed.catch(() => {});
  return { child, stop, failed };
};
