// How fast the engine reads streams, in the browser, beside `eventsource-parser` with `JSON.parse`. Prints a table; judges nothing.
// Usage: node tests/browser/speed.mjs [rounds]   (ENGINES names the engines; the package is the one in dist/)
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { median } from "./costs/measure.mjs";
import { engines } from "./engines/index.mjs";
import { openPackaged } from "./packaged.mjs";

const rounds = Number(process.argv[2] ?? 21);
const SSE = "text/event-stream";
const EVENTS = 5000;
const SIZE = 200;
const LARGE = 1 << 16;

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const recorded = (file) => readFile(path(`../streams/${file}`));

/** Events of a chat completion, `SIZE` bytes each with their framing. */
const small = Array.from({ length: EVENTS }, (_, index) => {
  const event = (content) =>
    `data: {"id":"chatcmpl-BDA7NsqzvZlObxjeBtas2VM8zS9L7","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]}\n\n`;
  const word = ` w${index}`;
  return Buffer.from(event(word.padEnd(word.length + SIZE - event(word).length, "y")));
});

const pieces = (body, size) =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.subarray(at * size, (at + 1) * size));

/** A recording so often that it is worth timing. */
const many = async (file) => {
  const body = await recorded(file);
  return Buffer.concat(Array(Math.ceil((1 << 21) / body.length)).fill(body));
};

/** One answer with a tool's result of half a megabyte, four times. */
const huge = Buffer.from(
  `data: {"type":"tool-output-available","toolCallId":"call_1","output":${JSON.stringify("a page of text, with no end. ".repeat(18_000))}}\n\n`.repeat(
    4,
  ),
);

const streams = [
  { name: `openai-chat, ${SIZE}-byte events, one a chunk`, chunks: small, events: EVENTS },
  { name: "openai-chat, recorded, 64 KiB chunks", chunks: pieces(await many("openai-chat/text-basic.sse"), LARGE) },
  {
    name: "anthropic-messages, recorded, 64 KiB chunks",
    chunks: pieces(await many("anthropic-messages/thinking.sse"), LARGE),
  },
  { name: "ai-sdk-ui, recorded, 64 KiB chunks", chunks: pieces(await many("ai-sdk-ui/v6-meta.sse"), LARGE) },
  { name: "ai-sdk-ui, tool results of 0.5 MB, 64 KiB chunks", chunks: pieces(huge, LARGE) },
];

const sent = streams.map(({ name, chunks }) => ({
  name,
  contentType: SSE,
  chunks: chunks.map((chunk) => chunk.toString("base64")),
}));

for (const engine of engines) {
  const browser = await openPackaged(engine, {
    isOverheard: false,
    files: {
      "/speed.js": path("speed/page.js"),
      "/eventsource-parser.js": path("../../node_modules/eventsource-parser/dist/index.js"),
    },
  });
  const page = await browser.page("/blank");
  const results = await page.evaluate(
    async (streams, rounds) => {
      const script = document.createElement("script");
      script.src = "/speed.js";
      await new Promise((resolve) => {
        script.onload = resolve;
        document.head.append(script);
      });
      return speed(streams, rounds);
    },
    sent,
    rounds,
  );
  console.log(`\n${engine}${" ".repeat(46)}    engine  eventsource-parser + JSON.parse`);
  for (const [at, { name, ...times }] of results.entries()) {
    const { chunks, events } = streams[at];
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const figure = (ms) =>
      events ? `${((ms * 1000) / events).toFixed(2)} µs/event` : `${(bytes / ms / 1000).toFixed(0)} MB/s`;
    const [ours, theirs] = [times.engine, times.parser].map(median);
    console.log(
      `  ${name.padEnd(52)}${figure(ours).padStart(14)}${figure(theirs).padStart(16)}${(theirs / ours).toFixed(1).padStart(6)}×`,
    );
  }
  await page.close();
  await browser.close();
}
