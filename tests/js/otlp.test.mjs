/**
 * A batch in OTLP, and how it is posted. What `tests/otlp/` holds is what comes of `batch.json`: a strict decoder reads it
 * in `tests/otlp.rs`. `UPDATE_OTLP=1` writes it anew.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { load } from "./load.mjs";

const { spansOf, logsOf, bodyOf, exporter } = await load(
  'export * from "./otlp.js"; export { exporter } from "./otlp-export.js";',
);
const file = (name) => new URL(`../otlp/${name}.json`, import.meta.url);
const batch = JSON.parse(await readFile(file("batch"), "utf8"));
const browser = { brands: [{ brand: "Chromium", version: "156" }], platform: "Linux", mobile: false };
const [answered, failed, left] = batch.turns;

// Protects: what the Rust decoder is shown is what this version sends.
for (const [kind, itemsOf] of [
  ["traces", spansOf],
  ["logs", logsOf],
]) {
  test(`${kind}: what is sent is what the decoder is shown`, async () => {
    const made = `${JSON.stringify(JSON.parse(bodyOf(kind, batch, itemsOf(batch), browser)), null, 2)}\n`;
    if (process.env.UPDATE_OTLP) await writeFile(file(kind), made);
    assert.equal(made, await readFile(file(kind), "utf8"));
  });
}

/** A collector that answers with these statuses, then 200; `posts` are its requests. */
const collector = (...statuses) => {
  const posts = [];
  const native = async (url, { body, headers, keepalive }) => {
    posts.push({ url, headers, keepalive, bytes: Buffer.byteLength(body), ...contents(JSON.parse(body)) });
    return new Response("{}", { status: statuses.shift() ?? 200 });
  };
  return { posts, send: exporter(native) };
};
const contents = ({ resourceSpans, resourceLogs }) => ({
  spans: resourceSpans?.[0].scopeSpans[0].spans.map(({ spanId }) => spanId),
  events: resourceLogs?.[0].scopeLogs[0].logRecords.map(({ eventName }) => eventName.replace("chat_vitals.", "")),
});
const init = (turns, more = {}) => ({
  method: "POST",
  headers: { authorization: "own", "content-type": "text/plain" },
  body: JSON.stringify({ ...batch, variants: [], turns }),
  ...more,
});
const BASE = "https://collector.example/otlp/";

// Protects: the addresses and the type that OTLP/HTTP asks for; the application's own headers go along.
test("a batch is one request for spans and one for events, below the base address", async () => {
  const { posts, send } = collector();
  const { status } = await send(BASE, init([failed]));
  assert.equal(status, 200);
  assert.deepEqual(
    posts.map(({ url }) => url),
    ["https://collector.example/otlp/v1/traces"],
    "a turn in which nothing happened has no events",
  );
  await send(BASE.slice(0, -1), init([left]));
  assert.deepEqual(
    posts.slice(1).map(({ url, events }) => [url, events]),
    [
      ["https://collector.example/otlp/v1/traces", undefined],
      ["https://collector.example/otlp/v1/logs", ["first_feedback", "stop", "abandon"]],
    ],
  );
  assert.deepEqual(posts[0].headers, { authorization: "own", "content-type": "application/json" });
});

// Protects: another try exactly where OTLP allows one, and nothing twice that was acknowledged.
test("only what was not acknowledged is sent again, and only if it may be", async () => {
  const { posts, send } = collector(200, 503);
  assert.equal((await send(BASE, init([answered]))).status, 503);
  assert.equal((await send(BASE, init([answered]))).status, 200);
  assert.deepEqual(
    posts.map(({ url }) => url.split("/").at(-1)),
    ["traces", "logs", "logs"],
  );
  for (const [first, verdict] of [
    [500, 200],
    [400, 200],
    [429, 429],
    [502, 502],
    [504, 504],
    [413, 413],
  ]) {
    const { send } = collector(first);
    assert.equal((await send(BASE, init([answered]))).status, verdict, `after ${first}`);
  }
});

// Protects: a network error is one for the engine, too, which keeps the turns.
test("no connection is a rejection", async () => {
  const send = exporter(() => Promise.reject(new TypeError("Failed to fetch")));
  await assert.rejects(send(BASE, init([answered])), TypeError);
});

// Protects: a span cannot be corrected, so an ended turn has one; what comes later is told by events alone.
test("a later revision of an ended turn sends the events that are new", async () => {
  const { posts, send } = collector();
  await send(BASE, init([{ ...answered, final: false, outcome: "open" }]));
  await send(BASE, init([answered]));
  const { requests, timings } = answered;
  await send(BASE, init([{ ...answered, revision: 3, requests, timings: { ...timings, taskComplete: 12_000 } }]));
  const spans = posts.filter((post) => post.spans).map((post) => post.spans[0]);
  assert.deepEqual(spans, [answered.id, answered.id], "once as it stood, once when it ended");
  assert.deepEqual(posts.at(-1).events, ["task_complete"]);
});

// Protects: all that is on its way while a page is left shares 64 KiB.
test("no request is larger than a beacon's share, whatever the batch", async () => {
  const { posts, send } = collector();
  const turns = Array.from({ length: 20 }, (_, i) => ({ ...answered, id: `00f067aa0ba90${i + 100}` }));
  await send(BASE, init(turns));
  const sizes = posts.map(({ bytes }) => bytes);
  assert.ok(sizes.length > 4 && Math.max(...sizes) <= 15 * 1024, `${sizes}`);
  const spans = posts.flatMap((post) => post.spans ?? []);
  assert.equal(spans.length, 60);
});

// Protects: quota held by others is survived; what was sent on leaving is not sent again.
test("on leaving: by keepalive, without it where that is refused, and once", async () => {
  const asked = [];
  const send = exporter(async (_, { keepalive }) => {
    asked.push(keepalive);
    if (keepalive) throw new TypeError("quota");
    return new Response();
  });
  await send(BASE, init([failed], { keepalive: true }));
  await send(BASE, init([failed]));
  assert.deepEqual(asked, [true, false]);
});
