/** A real collector takes what a real page sends: the demo in Chromium, its server, and rotel behind it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../browser/turns/browser.mjs";
import { Chat } from "../browser/turns/chat.mjs";
import { startDemo, until } from "../browser/turns/demo.mjs";
import { answer } from "../browser/turns/scenario.mjs";
import { spansIn, startRotel } from "./rotel.mjs";

let chromium;
before(async () => {
  chromium = await launch();
});
after(() => chromium?.close());

/** One turn of the demo's page, and what rotel printed of it once `isThere`. */
const turn = async (signal, isThere) => {
  const rotel = await startRotel(signal);
  const demo = await startDemo({ "--otlp": rotel.url });
  const chat = await Chat.open(chromium.browser, demo, { scenario: answer(), otlp: "1" });
  try {
    assert.equal(await chat.ready(), "full");
    await chat.ask();
    await until(() => isThere(rotel.printed()), rotel.printed, 20_000);
    return rotel.printed();
  } finally {
    await chat.page.close();
    await demo.stop();
    await rotel.stop();
  }
};

// Protects: one trace from the user's wait down to the server's work, in a collector that nobody here wrote.
test("traces: turn, request and the server's answer are one line of descent", async () => {
  const isWhole = (printed) => /chat_vitals\.final: Bool\(true\)/.test(printed) && /SPAN_KIND_SERVER/.test(printed);
  const spans = spansIn(await turn("traces", isWhole));
  const ours = spans.find(({ name }) => name === "chat_vitals.turn");
  const request = spans.find(({ parent, kind }) => parent === ours.id && kind === "SPAN_KIND_CLIENT");
  const server = spans.find(({ kind }) => kind === "SPAN_KIND_SERVER");
  assert.equal(ours.parent, "");
  assert.equal(server.parent, request.id);
  assert.deepEqual([request.trace, server.trace], [ours.trace, ours.trace]);
  assert.equal(ours.attributes["chat_vitals.outcome"], "Str(completed)");
  assert.equal(request.attributes["chat_vitals.trace.source"], "Str(propagated)");
});

// Protects: milestones arrive as events of the turn's trace.
test("logs: the milestones of the turn are events", async () => {
  const printed = await turn("logs", (printed) => /chat_vitals\.final_render/.test(printed));
  for (const name of ["first_feedback", "first_visible_token", "first_useful_content", "final_render"]) {
    assert.match(printed, new RegExp(`chat_vitals\\.${name}`), name);
  }
});
