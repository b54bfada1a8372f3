/** How turns end where the browser or the page gives no plain sign of it, in each engine, with the package as it is shipped. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cut, hanging, refused, serve, TEXT, whole } from "./ends/chat.mjs";
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
      // Protects: who leaves in the middle has abandoned the turn, by whatever way; at most, it looked like a failure until the page was gone.
      test(`left in the middle by ${way}: abandoned`, async () => {
        const page = await asked([hanging]);
        await sees(page);
        await leave(page);
        const told = await server.told(1, ({ outcome }) => outcome === "abandoned");
        await page.close();
        const { outcome, phase, requests } = told.at(-1);
        assert.deepEqual([outcome, phase, requests[0].end], ["abandoned", "streaming", "open"]);
        assert.deepEqual(
          told.filter(({ outcome, final }) => outcome === "failed" && final),
          [],
        );
      });
    }

    /** The last word on each turn, in their order. */
    const turns = async (count) => [...new Map((await server.told(count)).map((turn) => [turn.id, turn])).values()];

    // Protects: a button without a name stops where send was; one elsewhere that makes the page give up is no stop.
    test("a nameless button where send was: stopped; elsewhere: failed", async () => {
      for (const [button, outcome, types] of [
        ["#button", "stopped", ["stop"]],
        ["#other", "failed", []],
      ]) {
        const page = await asked([hanging]);
        await sees(page);
        await page.click(button);
        const [turn, ...more] = await turns(1);
        await page.close();
        assert.deepEqual([turn.outcome, turn.actions.map(({ type }) => type)], [outcome, types]);
        assert.deepEqual(more, []);
      }
    });

    // Protects: a request that the client itself sends again is one turn, with one wait and both requests on record.
    for (const [name, first, told] of [
      ["429", refused(429, { "retry-after": "1" }), 429],
      ["500", refused(500), 500],
      ["a broken stream", cut, 200],
    ]) {
      test(`asked again by the client after ${name}: one turn`, async (t) => {
        if (first === cut && engine === "webkit")
          return t.skip("WebKitGTK tells of a connection that was cut as of an end");
        const page = await asked([first, whole], "?tries=2");
        const done = async () => (await turns(1)).at(-1).outcome === "completed";
        for (let tries = 0; tries < 100 && !(await done()); tries++) await sleep(50);
        const [turn, ...more] = await turns(1);
        await page.close();
        const { outcome, trigger, final, requests, timings } = turn;
        assert.deepEqual([outcome, trigger, final, more], ["completed", "submit", true, []]);
        assert.deepEqual(
          requests.map(({ status }) => status),
          [told, 200],
        );
        assert.ok(timings.finalRender > requests[1].sent);
      });
    }

    // Protects: a control of this name by the answer asks for another one; elsewhere it is any button.
    for (const place of ["main", "#tools"]) {
      test(`Refresh in ${place}`, async () => {
        const page = await asked([whole]);
        await sees(page);
        const [first] = await turns(1);
        await page.evaluate((place) => document.querySelector(place).append(document.querySelector("#refresh")), place);
        await page.click("#refresh");
        const [, again] = await turns(2);
        await page.close();
        const expected = place === "main" ? ["regenerate", first.id] : ["submit", undefined];
        assert.deepEqual([again.outcome, again.trigger, again.regenerates], ["completed", ...expected]);
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
