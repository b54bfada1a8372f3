/**
 * WebKit: WebKitGTK's small browser by its WebDriver, on a screen in memory.
 * WEBKIT_DRIVER and MINIBROWSER name other programs. May touch: processes, a local port.
 */
import { createServer } from "node:net";
import { packed, unpacked } from "./evaluation.mjs";
import { start } from "./processes.mjs";
import { openSession, ready } from "./webdriver.mjs";
import { startScreen } from "./xvfb.mjs";

const BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Escape: "\uE00C",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
};

/** The key under which the protocol names an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

export const launchWebKit = async ({ viewport }) => {
  const screen = await startScreen();
  const port = await freePort();
  const driver = start(process.env.WEBKIT_DRIVER ?? "WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, DISPLAY: screen.display, NO_AT_BRIDGE: "1" },
    stdio: process.env.DEBUG_WEBKIT ? "inherit" : "ignore",
  });
  const stop = () => {
    driver.stop();
    screen.stop();
  };
  try {
    const origin = `http://127.0.0.1:${port}`;
    await Promise.race([ready(origin), driver.failed]);
    const session = await openSession(origin, {
      browserName: "MiniBrowser",
      acceptInsecureCerts: true,
      "webkitgtk:browserOptions": { binary: process.env.MINIBROWSER ?? BROWSER, args: ["--automation"] },
    });
    return {
      pid: driver.child.pid,
      page: (url) => openPage(session, url, viewport),
      async close() {
        await session.close().catch(() => {});
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
};

/** A window of its own; the one that the session began with stays, as the session would end with the last. */
const openPage = async (session, url, viewport) => {
  const { handle } = await session.inWindow(session.first, (command) =>
    command("POST", "/window/new", { type: "window" }),
  );
  const act = (method, path, body) => session.inWindow(handle, (command) => command(method, path, body));
  const page = pageOf(act, (run) => session.inWindow(handle, run));
  await act("POST", "/window/rect", viewport);
  await page.goto(url);
  return page;
};

/** In the page. A selector may lead into open shadow trees, each by ` >>> `, which the driver's own search does not enter. */
const FIND = `
  const found = arguments[0].split(" >>> ").reduce((from, part) => (from.shadowRoot ?? from).querySelector(part), document);
  if (!found) throw new Error("no " + arguments[0]);`;

/** The driver types where the caret is, and a field that is no form control has none until it is set. */
const PLACE_CARET = `
  if (found.isContentEditable) {
    found.focus();
    const { anchorNode } = getSelection();
    if (!found.contains(anchorNode)) getSelection().selectAllChildren(found);
    getSelection().collapseToEnd();
  }`;

const pageOf = (act, inWindow) => {
  const element = async (command, selector, first = "") => {
    const script = `${FIND}${first} return found;`;
    const found = await command("POST", "/execute/sync", { script, args: [selector] });
    return `/element/${found[ELEMENT]}`;
  };
  return {
    async evaluate(fn, ...args) {
      const script = `const done = arguments[0]; (async () => {${packed(fn, args)}})().then(done);`;
      return unpacked(await act("POST", "/execute/async", { script, args: [] }));
    },
    goto: (url) => act("POST", "/url", { url }),
    reload: () => act("POST", "/refresh"),
    click: (selector) => inWindow(async (command) => command("POST", `${await element(command, selector)}/click`)),
    type: (selector, text) =>
      inWindow(async (command) => {
        const field = await element(command, selector, PLACE_CARET);
        return command("POST", `${field}/value`, { text });
      }),
    press: (key) =>
      inWindow(async (command) => {
        const active = await command("GET", "/element/active");
        return command("POST", `/element/${active[ELEMENT]}/value`, { text: KEYS[key] ?? key });
      }),
    close: () => act("DELETE", "/window"),
  };
};
