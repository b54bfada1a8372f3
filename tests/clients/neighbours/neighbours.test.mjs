/**
 * Side by side with other instrumentation, loaded before the SDK ("under" it) and after it ("over" it): the application
 * sees what it sees with the neighbour alone, the neighbour notes what it notes alone, and the SDK measures.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines, launch } from "../../browser/engines/index.mjs";
import { orders, until, Visit } from "./visit.mjs";

/** Pages at a time: a visit is mostly waiting. */
const SIDE_BY_SIDE = 4;

/** How streams end, and in what way of the page's. */
const ENDS = {
  "/cloned": "done",
  "/aborted": "aborted",
  "/aborted-request": "aborted",
  "/given-up": "aborted",
  "/cancelled": "cancelled",
};

/** It reads a copy of each answer: what the page cancels goes on, and over the SDK that can be seen. */
const readsCopies = { over: { ends: { "/cancelled": "done" } } };

/**
 * Where a neighbour is an exception, in which order.
 * `ends`: streams that end otherwise. `said`: what is said of a rejection that nobody handles, and that the neighbour
 * alone keeps silent about: the promise that the page gets of the SDK is another one, and does not.
 * `isSeen`: it sees what the SDK sends although it is over it, by other means than `fetch`.
 */
const NEIGHBOURS = {
  sentry: {},
  "sentry-stream": readsCopies,
  otel: readsCopies,
  datadog: { under: { said: "unhandledrejection" }, over: { isSeen: true } },
  posthog: {
    // It begins to record after all scripts of the page, and is then over the SDK in any case.
    under: { isSeen: false },
    // It hands down options whose values are getters: those are for the browser to ask. So the page's signal is not
    // known, and an abort is known by its name alone.
    over: { hidesSignal: true },
  },
  // What it does not hold a task of its own for, it does not see.
  zone: { under: { isSeen: false } },
  "zone-fetch": {
    // The SDK sends from the zone in which its timer happens to have begun.
    under: { said: "console.error", isSeen: "either" },
    // Its own signal is all that can be seen.
    over: { ends: { "/aborted": "done", "/aborted-request": "done", "/given-up": "done" } },
  },
  msw: { over: { isSeen: true } },
};

const rightTurn = ({ status, outcome, end, format, firstChunk, lastChunk, flags, timings }) => {
  const told = { status, outcome, end, format, flags: flags.filter((flag) => flag !== "hidden") };
  assert.deepEqual(told, { status: 200, outcome: "completed", end: "done", format: "openai-chat", flags: [] });
  assert.ok(firstChunk <= lastChunk, "the first chunk comes first");
  // Of pages side by side some are out of sight.
  if (flags.length) return;
  assert.ok(timings.firstVisibleToken > 0 && timings.finalRender >= timings.firstVisibleToken, "seen on the page");
};

const chats = (notes) => notes.filter((note) => note.includes("/chat")).length;

/** What is to be seen with the SDK, given what there is without it. */
const expected = (alone, said) => {
  if (!said) return alone;
  const { name, message } = alone.seen["an abort before the answer"].rejected;
  return { ...alone, problems: [...alone.problems, `${said}: ${name}: ${message}`] };
};

/** All that is to be true of a visit with both, given what there was with the neighbour alone. */
const beside = async (visit, order, alone, traits = {}) => {
  const { ends, hidesSignal, said, isSeen = order === "under" } = traits;
  const { turn, ...seen } = await visit.all(alone.notes.length);
  const wanted = expected(alone, said);
  for (const part in wanted) assert.deepEqual(seen[part], wanted[part], part);
  assert.equal(visit.mode, "full");
  rightTurn(turn);

  const measured = await visit.measured(...Object.keys(ENDS));
  const how = Object.keys(ENDS).map((route) => [route, measured[route].end]);
  const isNamed = alone.seen["an abort with a reason"].name === "AbortError";
  const hidden = hidesSignal && !isNamed && { "/given-up": "error" };
  assert.deepEqual(Object.fromEntries(how), { ...ENDS, ...ends, ...hidden });

  // What the SDK sends is seen by a neighbour that is under it, and by no other that watches `fetch` alone.
  const isNoted = await visit.isSeen(isSeen === true);
  if (isSeen !== "either") assert.equal(isNoted, isSeen, "a note of what the SDK sends");

  // Whoever is below takes its leave, and whoever is above goes on.
  const isOver = order === "over";
  await visit.page.evaluate((isOver) => (isOver ? window.vitals.shutdown() : window.neighbour.off?.()), isOver);
  assert.deepEqual(await visit.run("chat"), alone.seen.chat);
  if (!isOver) return until(async () => (await visit.chats()) > 1, "another chat's turn");
  if (alone.notes.length)
    await until(async () => chats(await visit.noted()) > chats(alone.notes), "a note of the other chat");
  assert.equal(await visit.chats(), 1, "nothing is measured after shutdown");
};

for (const engine of engines) {
  describe(`neighbours: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await launch(engine);
    });
    after(() => browser?.close());

    /** Does `run(visit)`, or says why it can't be done in this engine. */
    const visit = async (t, name, order, run) => {
      const opened = await Visit.open(browser, name, order);
      try {
        return opened.lacks ? t.skip(opened.lacks) : await run(opened);
      } finally {
        await opened.close();
      }
    };

    describe("each", { concurrency: SIDE_BY_SIDE }, () => {
      for (const [name, traits] of Object.entries(NEIGHBOURS)) {
        describe(name, { concurrency: 1 }, () => {
          let alone;
          test(`${name} alone notes what the application does`, (t) =>
            visit(t, name, "alone", async (visit) => {
              alone = await visit.all();
              assert.equal(alone.notes.length > 0, name !== "zone");
            }));

          for (const order of orders) {
            test(`${name} ${order} the SDK: all as without it, and measured`, (t) =>
              visit(t, name, order, (visit) => beside(visit, order, alone, traits[order])));
          }
        });
      }

      // Under the SDK zone.js is given the page's own signal, and that is seen. Over it, it hands down one of its own, which
      // never aborts; and who reads a copy goes on when the page cancels its own. Then the gesture tells, as nothing stops.
      for (const [name, order, scenario, flags] of [
        ["zone-fetch", "under", "abortable", ["abortIgnored", "stopIgnored"]],
        ["zone-fetch", "over", "abortable", ["stopIgnored"]],
        ["otel", "over", "cancellable", ["stopIgnored"]],
        ["sentry-stream", "over", "cancellable", ["stopIgnored"]],
      ]) {
        test(`a stop that ${name} swallows, ${order} the SDK: ${flags}`, (t) =>
          visit(t, name, order, async (visit) => {
            await visit.start(scenario);
            await until(() => visit.page.evaluate(() => document.getElementById("stop") !== null), "a stop button");
            await visit.page.click("#stop");
            // A driver may be back before the page has heard of the click; what is sent from here on comes after it.
            await until(() => visit.page.evaluate(() => document.getElementById("stop").disabled), "a stop");
            visit.server.release();
            const { said } = await visit.over(scenario);
            if (scenario === "abortable") assert.match(said, /How are you\?$/, "the stream went on");
            const { "/stopped": request } = await visit.measured("/stopped");
            assert.equal(request.end, "done");
            const told = request.flags.filter((flag) => /Ignored$/.test(flag));
            assert.deepEqual(told, flags);
          }));
      }
    });
  });
}
