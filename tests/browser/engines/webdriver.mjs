/** As much of a WebDriver client (https://www.w3.org/TR/webdriver2/) as the tests need. May touch: a local port. */
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE } from "./evaluation.mjs";

const ask = async (url, method, body) => {
  const response = await fetch(url, {
    method,
    body: method === "POST" ? JSON.stringify(body ?? {}) : undefined,
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(PATIENCE + 5_000),
  });
  const { value } = await response.json();
  if (response.ok) return value;
  throw Object.assign(new Error(value.message || value.error), { name: value.error });
};

/** Resolves when the driver takes sessions. */
export const ready = async (origin) => {
  for (;;) {
    const status = await ask(`${origin}/status`, "GET").catch(() => undefined);
    if (status?.ready) return;
    await sleep(20);
  }
};

/**
 * One session. A driver does one thing at a time, and each concerns the window chosen last: hence `inWindow` queues what
 * is to be done, and `run` gets the function to ask with.
 */
export const openSession = async (origin, capabilities) => {
  const { sessionId } = await ask(`${origin}/session`, "POST", { capabilities: { alwaysMatch: capabilities } });
  const command = (method, path, body) => ask(`${origin}/session/${sessionId}${path}`, method, body);
  let last = Promise.resolve();
  await command("POST", "/timeouts", { script: PATIENCE, pageLoad: PATIENCE, implicit: 0 });
  return {
    first: await command("GET", "/window"),
    inWindow(handle, run) {
      const next = last.then(async () => {
        await command("POST", "/window", { handle });
        return run(command);
      });
      last = next.catch(() => {});
      return next;
    },
    close: () => command("DELETE", ""),
  };
};
