/** How turns end where the browser or the page gives no plain sign of it, in each engine, with the package as it is shipped. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hanging, serve, TEXT } from "./ends/chat.mjs";
import { engines, launch } from "./engines/index.mjs";

for (const engine of engines) {
  describe(`ends: ${engine}`, () => {
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

    /** A page with a question that was asked, and its answer on screen. */
    const asked = async (answers, query = "") => {
      server.expect(...answers);
      const page = await browser.page(`${server.origin}/${query}`);
      assert.equal(await page.evaluate(() => window.vitals.ready), "full");
      await page.type("textarea", "Why are there tides?");
      await page.click("#button");
      return page;
    };

    const sees = (page, words = TEXT) =>
      page.evaluate(async (words) => {
        while (!document.querySelector("main").textContent.includes(words)) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      }, words);

    const LEAVE = {
      link: (page) => page.click("#link"),
      "address bar": (page) => page.goto(`${server.origin}/next`),
      reload: (page) => page.reload(),
      script: (page) => page.evaluate(() => void setTimeout(() => location.assign("/next"))),
    };
    for (const [way, leave] of Object.entries(LEAVE)) {
      // Protects: who leaves in the middle has abandoned the turn, by whatever way, and nobody ever heard that it failed.
      test(`left in the middle by ${way}: abandoned`, async () => {
        const page = await asked([hanging]);
        await sees(page);
        await leave(page);
        const told = await server.told(1);
        await page.close();
        const { outcome, phase, requests } = told.at(-1);
        assert.deepEqual([outcome, phase, requests[0].end], ["abandoned", "streaming", "open"]);
        assert.deepEqual(
          told.filter(({ outcome }) => outcome === "failed"),
          [],
        );
      });
    }

    // Protects: the browser keeps the page for a way back as it does without us.
    test("a page with the SDK goes into the back/forward cache", async () => {
      server.expect(hanging);
      const page = await browser.page(`${server.origin}/`);
      await page.evaluate(async () => {
        await window.vitals.ready;
        addEventListener("pagehide", ({ persisted }) => sessionStorage.setItem("kept", persisted));
      });
      await page.click("#link");
      const kept = () => page.evaluate(() => sessionStorage.getItem("kept")).catch(() => null);
      for (let tries = 0; tries < 100 && !(await kept()); tries++) await sleep(50);
      assert.equal(await kept(), "true");
      await page.close();
    });
  });
}
