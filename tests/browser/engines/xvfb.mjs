/** A screen in memory, for a browser that needs one. May touch: a process. */
import { once } from "node:events";
import { start } from "./processes.mjs";

/** `{ display, stop }`; the server itself picks a free number. */
export const startScreen = async () => {
  const program = process.env.XVFB ?? "Xvfb";
  const args = ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"];
  const { child, stop, failed } = start(program, args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const [number] = await Promise.race([once(child.stdio[3], "data"), failed]);
  return { display: `:${String(number).trim()}`, stop };
};
