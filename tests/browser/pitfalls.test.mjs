/**
 * The numbers that other SDKs got wrong, each beside what the page itself saw in the same run: the package as it is
 * shipped, in each engine. `pitfalls.md` names the tests of all the known pitfalls; that it is true is tested here too.
 */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { engines, launch } from "./engines/index.mjs";
import { start } from "./packaged.mjs";

const root = new URL("../../", import.meta.url);
const SHIFT = 8 * 60 * 60 * 1000;
/** What the page's own stamps may differ by: clocks of 1 ms, and machines that are busy. */
const CLOSE = 40;

/** Runs in the page. `ask` plays [ms, text] pairs and stamps the page's own reads; `start` is the package. */
const PAGE = `<!doctype html><title>t</title><script src="/noted.js"></script><body><main><div id="a"></div></main><script>
  globalThis.start = async (options) => {
    await (${start})({ match: "/play", answer: "#a", ...options });
    const until = async (is) => (await started.until((turns) => turns.some(is))).findLast(is);
    return { ...started, until };
  };
  globalThis.ask = async (script, end) => {
    const response = await fetch("/play", { method: "POST", body: JSON.stringify({ script, end, stream: true }) });
    const reader = response.body.getReader();
    const stamps = [];
    let bytes = 0;
    return {
      reader, stamps,
      get bytes() { return bytes; },
      async read() {
        const { done, value } = await reader.read();
        if (done) return false;
        stamps.push(performance.now());
        bytes += value.length;
        return true;
      },
      async readAll() {
        while (await this.read());
        // A turn whose text is on screen is over; one that nobody draws waits for it.
        draw("all of it");
        return stamps;
      },
    };
  };
  globalThis.draw = (text) => { document.querySelector("#a").textContent += text; };
  globalThis.frame = (delta) => "data: " + JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta }] }) + "\\n\\n";
</script>`;

/** The page's server: plays what it is asked to, and keeps what it is told. */
const serve = async () => {
  const told = [];
  const scripts = (await readdir(new URL("dist/", root))).filter((name) => name.endsWith(".js"));
  const files = new Map([["/noted.js", await readFile(new URL("./taps/noted.js", import.meta.url))]]);
  for (const name of scripts) files.set(`/dist/${name}`, await readFile(new URL(`dist/${name}`, root)));

  const body = async (request) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    return Buffer.concat(parts).toString();
  };
  const play = async ({ script, end }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    do {
      for (const [wait, text] of script) {
        await sleep(wait);
        if (response.destroyed) return;
        response.write(text);
      }
    } while (end === "never");
    if (end === "reset") setTimeout(() => response.destroy(), 50);
    else response.end();
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/") return response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    if (pathname === "/play") return play(JSON.parse(await body(request)), response);
    if (pathname === "/tell") {
      told.push(JSON.parse(await body(request)));
      return response.writeHead(204).end();
    }
    if (pathname === "/small") return response.end("1");
    const file = files.get(pathname);
    if (!file) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/javascript" }).end(file);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    /** The last turn told since `forget` that is as wished. */
    async toldOf(is) {
      for (let tries = 0; tries < 100; tries++) {
        const turn = told.flatMap(({ turns }) => turns).findLast(is);
        if (turn) return turn;
        await sleep(50);
      }
      throw new Error(`in vain: ${JSON.stringify(told)}`);
    },
    forget: () => told.splice(0),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
};

const near = (value, expected, what) =>
  assert.ok(Math.abs(value - expected) <= CLOSE, `${what}: ${value}, the page itself ${expected}`);

for (const engine of engines) {
  describe(`pitfalls: ${engine}`, () => {
    let browser;
    let server;
    before(async () => {
      server = await serve();
      browser = await launch(engine);
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    const inPage = async (body, ...args) => {
      const page = await browser.page(`${server.origin}/`);
      try {
        const result = await page.evaluate(body, ...args);
        assert.deepEqual(await page.evaluate(() => globalThis.noted), [], "the page hears nothing");
        return result;
      } finally {
        await page.close();
      }
    };

    // Protects: what is no content, a comment, a role, an empty string, is no first token.
    test("31: the first token is the first text", async () => {
      const [turn, stamps] = await inPage(async () => {
        const { until } = await start();
        const empty = frame({ role: "assistant", content: "" });
        const script = [
          [50, ": ping\n\n"],
          [100, empty],
          [100, frame({ content: "" })],
          [200, frame({ content: "Hi" })],
        ];
        const stamps = await (await ask(script)).readAll();
        return [await until(({ requests: [request] }) => request?.end === "done"), stamps];
      });
      const [{ firstChunk, firstToken, lastChunk }] = turn.requests;
      const [first, , before, text] = stamps;
      assert.equal(stamps.length, 4);
      near(firstToken - firstChunk, text - first, "first token");
      assert.ok(firstToken - firstChunk > before - first, "not before the chunks without text");
      assert.equal(firstToken, lastChunk);
    });

    // Protects: an answer's first token isn't that of its reasoning.
    test("32: reasoning is no token of the answer", async () => {
      const [turn, stamps] = await inPage(async () => {
        const { until } = await start();
        const think = frame({ reasoning_content: "Let me think" });
        const script = [
          [50, think],
          [100, think],
          [100, think],
          [200, frame({ content: "Four" })],
        ];
        const stamps = await (await ask(script)).readAll();
        return [await until(({ requests: [request] }) => request?.end === "done"), stamps];
      });
      const [{ firstChunk, firstToken, characters }] = turn.requests;
      near(firstToken - firstChunk, stamps.at(-1) - stamps[0], "first token of the answer");
      assert.equal(characters, 4);
    });

    // Protects: what ended is told though the page goes at once.
    test("35: a page that is left 50 ms after the end has told of it", async () => {
      server.forget();
      const page = await browser.page(`${server.origin}/`);
      const bytes = await page.evaluate(async () => {
        await start({ send: undefined, endpoint: "/tell" });
        const answer = await ask([[50, frame({ content: "Hello" })]]);
        await answer.read();
        draw("Hello");
        await answer.readAll();
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        setTimeout(() => location.assign("about:blank"), 50);
        return answer.bytes;
      });
      const turn = await server.toldOf(({ final }) => final);
      await page.close();
      const [request] = turn.requests;
      assert.deepEqual([turn.outcome, request.end, request.bytes], ["completed", "done", bytes]);
      assert.ok(turn.timings.lastChunk >= turn.timings.firstChunk);
    });

    // Protects: an endless stream has an end on record too: the page's.
    test("35: a page that is left in the middle has abandoned the answer", async () => {
      server.forget();
      const page = await browser.page(`${server.origin}/`);
      const bytes = await page.evaluate(async () => {
        await start({ send: undefined, endpoint: "/tell" });
        const answer = await ask([[30, frame({ content: "more " })]], "never");
        for (let i = 0; i < 4; i++) await answer.read();
        setTimeout(() => location.assign("about:blank"), 0);
        return answer.bytes;
      });
      const turn = await server.toldOf(({ outcome }) => outcome === "abandoned");
      await page.close();
      const [request] = turn.requests;
      assert.deepEqual([turn.outcome, turn.timings.firstVisibleToken], ["abandoned", undefined]);
      assert.equal(request.bytes, bytes);
      assert.ok(request.lastChunk > request.firstChunk);
      assert.equal(turn.timings.finalRender, undefined);
    });

    // Protects: each way to end has its name.
    test("36: a reset is an error, a cancel is a cancel, and a long answer is as long as it was", async () => {
      const [[reset, native], cancelled, long, lasted] = await inPage(async () => {
        const { until } = await start();
        const words = [[50, frame({ content: "a" })]];
        // What is asked again right after a failure is one more request of the same turn.
        const closed = (end) => until(({ requests }) => requests.at(-1)?.end === end);
        const native = await (await ask(words, "reset")).readAll().then(
          () => "done",
          () => "error",
        );
        const reset = await closed(native);
        const given = await ask(words, "never");
        await given.read();
        await given.reader.cancel();
        const cancelled = await closed("cancelled");
        const stamps = await (await ask([...words, [1500, frame({ content: "b" })]])).readAll();
        const long = await until(({ requests }) => requests.at(-1)?.events === stamps.length);
        return [[reset, native], cancelled, long, stamps.at(-1) - stamps[0]];
      });
      // WebKitGTK tells the page of a connection that was cut as of an end.
      const errors = [reset, cancelled].map(({ requests }) => requests.at(-1).errorType);
      assert.deepEqual(errors, [native === "error" ? "TypeError" : undefined, undefined]);
      const { firstChunk, lastChunk, end } = long.requests.at(-1);
      assert.equal(end, "done");
      near(lastChunk - firstChunk, lasted, "duration");
    });

    // Protects: the own clock comes first; the browser's list of resources may be full.
    test("37: a full list of resources takes no time away", async () => {
      const [listed, ...turns] = await inPage(async () => {
        const { until } = await start();
        for (let i = 0; i < 10; i++) {
          await Promise.all(Array.from({ length: 30 }, async () => (await fetch("/small")).text()));
        }
        await (await ask([[30, frame({ content: "a" })]])).readAll();
        const done = await until(({ requests: [request] }) => request?.end === "done");
        const answer = await ask([[30, frame({ content: "a" })]], "never");
        await answer.read();
        await answer.reader.cancel();
        const cancelled = await until(({ requests: [request] }) => request?.end === "cancelled");
        const listed = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/play"));
        return [listed.length, done, cancelled];
      });
      assert.equal(listed, 0, "the list is full");
      for (const { requests } of turns) {
        const [{ sent, responseStart, firstChunk, firstToken, lastChunk }] = requests;
        const times = [sent, responseStart, firstChunk, firstToken, lastChunk];
        assert.ok(times.every(Number.isFinite), `${times}`);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
      }
    });

    // Protects: a machine that slept is flagged, and durations stay those of the monotonic clock.
    test("39: a wall clock that jumps is flagged", async () => {
      const [turn, stamps] = await inPage(async (shift) => {
        const { until } = await start();
        const answer = await ask([
          [50, frame({ content: "a" })],
          [200, frame({ content: "b" })],
        ]);
        await answer.read();
        const now = Date.now;
        Date.now = () => now.call(Date) + shift;
        draw("a");
        await answer.readAll();
        return [await until(({ flags }) => flags.includes("clockGap")), answer.stamps];
      }, SHIFT);
      const [{ firstChunk, lastChunk }] = turn.requests;
      near(lastChunk - firstChunk, stamps.at(-1) - stamps[0], "duration");
    });

    // Protects: nothing is seen in a hidden tab; what is known is told when it is hidden, as open.
    test("40: a hidden tab is told as it stands, flagged, with no visible token", async (t) => {
      if (!browser.puppeteer) return t.skip(`the driver of ${engine} has no second tab to hide the first with`);
      const page = await browser.page(`${server.origin}/`);
      await page.evaluate(async () => {
        globalThis.own = await start();
        globalThis.answer = await ask([[50, frame({ content: "more " })]], "never");
        await answer.read();
      });
      const other = await browser.puppeteer.newPage();
      await other.bringToFront();
      const isHidden = () => page.evaluate(() => document.hidden);
      for (let tries = 0; tries < 20 && !(await isHidden()); tries++) await sleep(50);
      const hidden = await isHidden();
      const turn = hidden && (await page.evaluate(() => own.until(({ flags }) => flags.includes("hidden"))));
      await other.close();
      await page.close();
      if (!hidden) return t.skip(`${engine} without a window hides no tab`);
      assert.deepEqual([turn.final, turn.outcome, turn.requests[0].end], [false, "open", "open"]);
      assert.equal(turn.timings.firstVisibleToken, undefined);
      assert.ok(turn.requests[0].bytes > 0);
    });

    // Protects: the gap on record is the one the page had, in this engine, with its name on the batch.
    test("41: a reader that is busy: the gap is the page's own", async () => {
      const [turn, stamps, name] = await inPage(async () => {
        const { until, batches } = await start();
        const answer = await ask([
          [50, frame({ content: "a" })],
          [600, frame({ content: "b" })],
        ]);
        await answer.read();
        const busy = performance.now() + 200;
        while (performance.now() < busy);
        await answer.readAll();
        const turn = await until(({ requests: [request] }) => request?.end === "done");
        return [turn, answer.stamps, batches[0].page.engine];
      });
      const [{ firstChunk, lastChunk }] = turn.requests;
      assert.equal(stamps.length, 2);
      assert.ok(name.startsWith(`${engine}/`), name);
      near(lastChunk - firstChunk, stamps[1] - stamps[0], "gap");
      assert.ok(lastChunk - firstChunk > 300, "no chunk was kept back and given together");
    });

    // Protects: what a stream lasted is never called a latency; how it ended, what came, and the silence are there.
    test("42, 43: events, bytes, end and silence are on record, each by its own name", async () => {
      const [turn, bytes, silent] = await inPage(async () => {
        const { until } = await start();
        const sent = performance.now();
        const answer = await ask([
          [400, frame({ content: "one " })],
          [50, frame({ content: "two" })],
        ]);
        await answer.read();
        draw("one ");
        const silent = performance.now() - sent;
        await answer.readAll();
        return [await until(({ final }) => final), answer.bytes, silent];
      });
      const [request] = turn.requests;
      assert.deepEqual([turn.outcome, request.end, request.events, request.bytes], ["completed", "done", 2, bytes]);
      assert.ok(turn.waits.silent.max >= silent - CLOSE, `${JSON.stringify(turn.waits)}, the page itself ${silent}`);
      // A page that is busy may be given both in one step, which a coarse clock can't tell apart.
      assert.ok(request.responseStart <= request.firstChunk);
      const names = [turn, turn.timings, request].flatMap(Object.keys);
      assert.deepEqual(
        names.filter((name) => /latency|duration/i.test(name)),
        [],
      );
    });
  });
}

// Protects: the table of pitfalls names tests that there are.
test("each pitfall of the table has the tests that it names", async () => {
  const table = await readFile(new URL("./pitfalls.md", import.meta.url), "utf8");
  const rows = table.split("\n").filter((line) => /^\| \d+ \|/.test(line));
  const numbers = rows.map((row) => Number(row.split("|")[1]));
  const all = [1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 22, 24, 25, 26, 27, 29, 30, 31, 32, 34, 35];
  assert.deepEqual(numbers, [...all, 36, 37, 39, 40, 41, 42, 43, 45, 46]);
  for (const row of rows) {
    const named = [...row.matchAll(/`(tests\/[^`]+)`: ((?:`[^`]+`(?:, )?)+)/g)];
    assert.ok(named.length, row);
    for (const [, file, list] of named) {
      const source = await readFile(new URL(file, root), "utf8");
      for (const [, name] of list.matchAll(/`([^`]+)`/g)) assert.ok(source.includes(name), `${file}: ${name}`);
    }
  }
});
