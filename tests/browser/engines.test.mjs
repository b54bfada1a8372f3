/** The driver of the engines keeps its word in each of them. Its users rely on nothing else. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { engines, launch } from "./engines/index.mjs";

const PAGE = `<!doctype html><title>t</title><script>
  globalThis.seen = [];
  for (const type of ["click", "keydown"]) addEventListener(type, ({ isTrusted, key }) => seen.push([type, isTrusted, key]));
</script><button>b</button><input>`;

for (const engine of engines) {
  describe(`driver: ${engine}`, () => {
    let browser;
    let server;
    let origin;
    before(async () => {
      server = createServer((request, response) => {
        if (request.url === "/open") return response.writeHead(200).write("first");
        response.setHeader("content-type", "text/html").end(PAGE);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      origin = `http://127.0.0.1:${server.address().port}/`;
      browser = await launch(engine);
    });
    after(async () => {
      await browser?.close();
      server.closeAllConnections();
      server.close();
    });

    test("a function runs in the page with its arguments, async or not", async () => {
      const page = await browser.page(origin);
      assert.equal(browser.name, engine);
      assert.deepEqual(await page.evaluate((a, b) => [document.title, a, b], 1, { c: "ü" }), ["t", 1, { c: "ü" }]);
      assert.equal(await page.evaluate(async () => (await fetch("/")).status), 200);
      assert.equal(await page.evaluate(() => {}), undefined);
      await page.close();
    });

    test("what the function throws is thrown, with name and message", async () => {
      const page = await browser.page(origin);
      await assert.rejects(
        page.evaluate(() => {
          throw new RangeError("no");
        }),
        { name: "RangeError", message: "no" },
      );
      const later = page.evaluate(() => Promise.reject(new DOMException("stopped", "AbortError")));
      await assert.rejects(later, { name: "AbortError", message: "stopped" });
      await page.close();
    });

    test("clicks and keys are trusted", async () => {
      const page = await browser.page(origin);
      await page.click("button");
      await page.type("input", "a");
      await page.press("Enter");
      const expected = [
        ["click", true, undefined],
        ["keydown", true, "a"],
        ["keydown", true, "Enter"],
      ];
      // JSON has null where JavaScript has undefined.
      assert.deepEqual(await page.evaluate(() => globalThis.seen), JSON.parse(JSON.stringify(expected)));
      assert.equal(await page.evaluate(() => document.querySelector("input").value), "a");
      await page.close();
    });

    test("a page goes elsewhere and loads anew", async () => {
      const page = await browser.page(origin);
      await page.evaluate(() => globalThis.seen.push("mark"));
      await page.reload();
      assert.deepEqual(await page.evaluate(() => globalThis.seen), []);
      await page.goto(`${origin}other`);
      assert.equal(await page.evaluate(() => location.pathname), "/other");
      await page.close();
    });

    test("a closed page closes its streams; the others stay", async () => {
      const [page, other] = [await browser.page(origin), await browser.page(origin)];
      const requested = new Promise((resolve) => {
        server.on("request", (request, response) => request.url === "/open" && resolve(response));
      });
      await page.evaluate(async () => {
        globalThis.reader = (await fetch("/open")).body.getReader();
        await globalThis.reader.read();
      });
      const closed = once(await requested, "close", { signal: AbortSignal.timeout(5_000) });
      await page.close();
      await closed;
      assert.equal(await other.evaluate(() => document.title), "t");
      await other.close();
    });
  });
}
