/** Programs that end with this process, however it ends. May touch: processes. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const running = new Set();

process.on("exit", () => {
  for (const pid of running) killGroup(pid);
});
// By default a signal ends the process without its "exit".
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

const killGroup = (pid) => {
  running.delete(pid);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
};

/** `child` leads a group of its own; answers with what ends it at once, with all that it started. */
export const tied = (child) => {
  running.add(child.pid);
  child.once("exit", () => running.delete(child.pid));
  return () => killGroup(child.pid);
};

/** Starts a program: `{ child, stop, failed }`; `failed` rejects when it ends or can't start. */
export const start = (program, args, options) => {
  const child = spawn(program, args, { ...options, detached: true });
  const failed = new Promise((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program} ended (${code}) before it was ready`)));
  });
  failed.catch(() => {});
  return { child, stop: child.pid ? tied(child) : () => {}, failed };
};
