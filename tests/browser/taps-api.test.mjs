/** The API in a page: what it says to the engine, and what happens when there is none. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "./taps/browser.mjs";

let browser;
before(async () => {
  browser = await openBrowser({ "/api.js": "api.ts", "/overlay.js": "overlay.ts" });
});
after(() => browser?.close());

/** Runs `body` in a page that has the API as `init`. */
const inPage = async (body, ...args) => {
  const page = await browser.chromiumPage("/blank?script=/api.js");
  const result = await page.evaluate(body, ...args);
  const { errors } = page;
  await page.close();
  return { result, errors };
};

test("init returns at once and twice the same; requests before the engine reach it", async () => {
  const { result, errors } = await inPage(async () => {
    const vitals = init({ endpoint: "/vitals" });
    const again = init({});
    await (await fetch("/sse?key=api&n=2")).text();
    vitals.turn.mark("early");
    arrive();
    const ready = await vitals.ready;
    return [vitals === again, ready, log.map(([name]) => name)];
  });
  assert.deepEqual(result, [true, "full", ["open", "head", "chunk", "close", "command"]]);
  assert.equal(errors.length, 1, "one warning, about the second init");
});

test("`match` decides what is seen: prefix, pattern and function", async () => {
  const { result } = await inPage(async () => {
    const seen = [];
    for (const match of [
      "/sse?key=a",
      /key=a/,
      [(url) => url.searchParams.get("key") === "a", "/none"],
      () => null.x,
    ]) {
      const vitals = init({ match });
      for (const key of ["a", "b"]) await (await fetch(`/sse?key=${key}`)).text();
      arrive();
      await vitals.ready;
      seen.push(log.filter(([name]) => name === "open").map(([, , , , , url, hint]) => [url.slice(-1), hint]));
      vitals.shutdown();
      log.length = 0;
    }
    return seen;
  });
  assert.deepEqual(result, [[["a", 1]], [["a", 1]], [["a", 1]], []]);
});

test("the live turn takes words with their values, and is null when there is none", async () => {
  const { result } = await inPage(async () => {
    const vitals = init();
    arrive();
    await vitals.ready;
    const before = vitals.turn;
    state.live = true;
    const { turn } = vitals;
    turn.mark("cards");
    turn.useful();
    turn.progress("searching");
    turn.finish();
    turn.complete();
    turn.stop();
    turn.setAttribute("plan", true);
    return [before, log.map(([name, number, t, a, b]) => [name, number, typeof t, a, b])];
  });
  assert.deepEqual(
    result,
    [
      null,
      [
        ["command", 0, "number", "cards", undefined],
        ["command", 1, "number", undefined, undefined],
        ["command", 2, "number", "searching", undefined],
        ["command", 3, "number", undefined, undefined],
        ["command", 4, "number", undefined, undefined],
        ["command", 5, "number", undefined, undefined],
        ["command", 6, "number", "plan", true],
      ].map((row) => row.map((value) => value ?? null)),
    ].map((part) => part?.map((row) => row.map((value) => value ?? null)) ?? null),
  );
});

test("a task that is done after its answer ended reaches the engine, though no turn is live", async () => {
  const { result } = await inPage(async () => {
    const vitals = init();
    arrive();
    await vitals.ready;
    vitals.complete();
    return [vitals.turn, log.map(([name, number]) => [name, number])];
  });
  assert.deepEqual(result, [null, [["command", 4]]]);
});

test("a turn by hand and a response that came past the tap are streams like others", async () => {
  const { result } = await inPage(async () => {
    const saved = fetch;
    const vitals = init();
    arrive();
    await vitals.ready;
    const manual = vitals.startTurn({ url: "https://x.test/socket" });
    manual.text("hello");
    manual.end();
    const response = await saved("/sse?key=saved");
    const same = vitals.observe(response) === response;
    await response.text();
    return [same, log.map(([name, id, , ...rest]) => [name, id, name === "head" || name === "chunk" ? null : rest])];
  });
  const [same, calls] = result;
  const url = calls[3][2][2];
  assert.match(url, /\/sse\?key=saved$/);
  assert.deepEqual(
    [same, calls],
    [
      true,
      [
        ["open", 1, [4, "", "https://x.test/socket", 1]],
        ["message", 1, ["text", "hello"]],
        ["close", 1, [0, ""]],
        ["open", 2, [0, "", url, 1]],
        ["head", 2, null],
        ["chunk", 2, null],
        ["close", 2, [0, ""]],
      ],
    ],
  );
});

test("a frame is seen only when asked for, until it goes, and is given back its own", async () => {
  const { result, errors } = await inPage(async () => {
    const vitals = init();
    arrive();
    await vitals.ready;
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const inside = frame.contentWindow;
    const native = inside.fetch;
    const urls = () =>
      log.filter(([name]) => name === "open").map(([, , , transport, , url]) => [transport, url.slice(-5)]);
    await (await inside.fetch("/sse?key=f1")).text();
    const unasked = urls().length;
    const same = vitals.observe(inside) === inside;
    const posted = new inside.Request("/sse?key=f2", { method: "POST", body: "x" });
    await (await inside.fetch(posted)).text();
    await new Promise((resolve) => {
      const xhr = new inside.XMLHttpRequest();
      xhr.onloadend = resolve;
      xhr.open("GET", "/sse?key=f3");
      xhr.send();
    });
    const asked = urls();
    const ends = log.filter(([name]) => name === "close").length;
    vitals.shutdown();
    const given = inside.fetch === native;
    frame.remove();
    return [unasked, same, asked, ends, given];
  });
  assert.deepEqual(result, [
    0,
    true,
    [
      [0, "ey=f2"],
      [2, "ey=f3"],
    ],
    2,
    true,
  ]);
  assert.deepEqual(errors, []);
});

test("onTurn hears ends, with `updates` milestones too, until it is ended", async () => {
  const { result } = await inPage(async () => {
    const vitals = init();
    arrive();
    await vitals.ready;
    const heard = [];
    const stop = vitals.onTurn(({ id }) => heard.push(`end ${id}`));
    vitals.onTurn(({ id }) => heard.push(`all ${id}`), { updates: true });
    announce({ id: 1 }, false);
    announce({ id: 1 }, true);
    stop();
    announce({ id: 2 }, true);
    return heard;
  });
  assert.deepEqual(result, ["all 1", "end 1", "all 1", "all 2"]);
});

test("an engine that panics in the middle of a stream: the page reads on", async () => {
  const { result, errors } = await inPage(async () => {
    const native = fetch;
    const vitals = init();
    arrive();
    await vitals.ready;
    const response = await fetch("/sse?key=panic&gap=20");
    state.panic = true;
    const text = await new Response(response.body.pipeThrough(new TransformStream())).text();
    vitals.flush();
    vitals.shutdown();
    return [text, fetch === native, init().ready === vitals.ready];
  });
  assert.deepEqual(result, ["data: 0\n\ndata: 1\n\ndata: 2\n\n", true, false]);
  assert.equal(errors.length, 1);
});

test("20,000 starts and ends with a wrapper in between leave no chain, and both still work", async () => {
  const { result, errors } = await inPage(async () => {
    let below = 0;
    const first = init();
    const tapped = fetch;
    const wrapper = (...args) => {
      below++;
      return tapped(...args);
    };
    globalThis.fetch = wrapper;
    first.shutdown();
    for (let i = 0; i < 20_000; i++) {
      init().shutdown();
    }
    const kept = fetch === wrapper;
    const off = (await fetch("/json")).status;
    const vitals = init();
    arrive();
    await vitals.ready;
    await (await fetch("/sse?key=chain")).text();
    return [kept, off, below, log.filter(([name]) => name === "open").length];
  });
  assert.deepEqual(result, [true, 200, 2, 1]);
  assert.deepEqual(errors, []);
});

test("a second copy of the package, of whatever version, finds the first and adds nothing", async () => {
  const { result, errors } = await inPage(async () => {
    const first = init();
    arrive();
    await first.ready;
    const [before, said] = [fetch, log];
    const script = document.createElement("script");
    script.src = "/api.js?another";
    document.head.append(script);
    await new Promise((resolve) => {
      script.onload = resolve;
    });
    const second = init({ match: "/nothing" });
    await (await fetch("/sse?key=copies")).text();
    return [first === second, fetch === before, said.filter(([name]) => name === "open").length, log.length];
  });
  assert.deepEqual(result, [true, true, 1, 0]);
  assert.deepEqual(errors, ["chat-vitals runs already"]);
});

test("a read-only fetch is left alone", async () => {
  const { result, errors } = await inPage(async () => {
    const native = fetch;
    Object.defineProperty(globalThis, "fetch", { value: native, writable: false, configurable: false });
    const vitals = init();
    arrive();
    return [await vitals.ready, fetch === native, (await fetch("/json")).status];
  });
  assert.deepEqual(result, ["full", true, 200]);
  assert.deepEqual(errors, []);
});

test("gestures are the user's own: trusted clicks, Enter and submits, not scripted ones", async () => {
  const page = await browser.chromiumPage("/blank?script=/api.js");
  await page.evaluate(async () => {
    document.body.innerHTML = '<form><textarea id="t"></textarea><button id="b">Send</button></form>';
    document.forms[0].onsubmit = () => false;
    const vitals = init();
    arrive();
    await vitals.ready;
    b.click();
    t.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    log.length = 0;
  });
  await page.click("#t");
  await page.keyboard.down("Shift");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Shift");
  await page.keyboard.type("a");
  await page.keyboard.press("Enter");
  await page.click("#b");
  const seen = await page.evaluate(() =>
    log.map(([name, t, touch, target]) => [name, typeof t, touch, target?.tagName]),
  );
  await page.close();
  assert.deepEqual(seen, [
    ["gesture", "number", 0, "TEXTAREA"],
    ["gesture", "number", 1, "TEXTAREA"],
    ["gesture", "number", 0, "BUTTON"],
    ["gesture", "number", 2, "FORM"],
  ]);
});

test("variants: the same for an id everywhere, one exposure each", async () => {
  const { result } = await inPage(async () => {
    const vitals = init({ experiments: { progress: ["none", "steps"], tone: { variants: ["a", "b"], id: "u1" } } });
    const first = vitals.variant("progress");
    const again = vitals.variant("progress");
    const tone = vitals.variant("tone");
    arrive();
    await vitals.ready;
    return [
      first === again,
      vitals.variant("unknown"),
      log.map(([, number, , name, b]) => [
        number,
        name,
        b === `${name === "tone" ? tone : first} ${name === "tone" ? "user" : "session"}`,
      ]),
    ];
  });
  assert.deepEqual(
    result,
    [
      true,
      undefined,
      [
        [7, "progress", true],
        [7, "tone", true],
      ],
    ].map((value) => value ?? null),
  );
});

test("the overlay draws the last turns as bars, keeps the page's elements alone, and goes without a trace", async () => {
  const page = await browser.chromiumPage("/blank?script=/overlay.js");
  const seen = await page.evaluate(async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const hide = show();
    const turn = (id, timings) => ({
      id,
      outcome: "completed",
      trigger: "submit",
      timings,
      methods: {},
      flags: [],
      requests: [],
    });
    for (let i = 0; i < 7; i++) announce(turn(`old${i}`, { firstFeedback: 10 }));
    announce(turn("last", { firstFeedback: 100, firstVisibleToken: 500 }));
    announce(turn("last", { firstFeedback: 100, firstVisibleToken: 500, firstUsefulContent: 600, finalRender: 1000 }));
    await painted();
    const { shadowRoot } = document.querySelector("chat-vitals-overlay");
    const bars = [...shadowRoot.querySelectorAll(".bar")].map((bar) =>
      [...bar.children].map(({ style }) => style.width),
    );
    const head = shadowRoot.querySelector("header").textContent;
    const inside = shadowRoot.querySelector("dl").textContent;
    hide();
    return [head, bars, inside, document.body.children.length, listening()];
  });
  assert.deepEqual(seen, [
    "chat-vitals: full",
    [["10%", "40%", "10%", "40%"], ["1%"], ["1%"], ["1%"], ["1%"]],
    "firstFeedback100 msfirstVisibleToken500 msfirstUsefulContent600 msfinalRender1.00 s",
    0,
    0,
  ]);
  assert.deepEqual(page.errors, []);
  await page.close();
});
