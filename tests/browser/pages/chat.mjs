/**
 * A chat page for `ways` of drawing an answer, with its own record of what it drew when. Runs in the page.
 *
 * A way has `begin(chat)`, called at the submit; what it gives draws: `answer(text, piece)`, `reasoning(text)`, `end()`.
 * Each call of `answer` counts as drawn, unless the way has `own`: then it says so by `chat.drew()`.
 */
import { make } from "./make.mjs";
import { misleading } from "./misleading.mjs";
import { ways } from "./ways.mjs";

/** Words in four pieces, of which the last comes as a paragraph of its own. */
export const ANSWER = [
  "Certainly. ",
  "The tide follows the moon because gravity pulls the water into two bulges.",
  "\n\nAs the earth turns below them, each coast meets both.",
  "\n\nHarbours publish tables every year.",
];
/** Frames from a change until it is on screen for sure: one more than it takes to see two begin. */
const FRAMES = 4;
const PAUSE = 150;

const frames = async (count) => {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
  return performance.now();
};

const answerOf = async (steps, take, ask) => {
  const response = await ask("/chat", { method: "POST", body: JSON.stringify({ stream: true, steps }) });
  let [pending, text, reasoning] = ["", "", ""];
  for await (const chunk of pieces(response)) {
    const records = (pending + chunk).split("\n\n");
    pending = records.pop();
    take.raw?.(chunk);
    for (const record of records) {
      if (!record.startsWith("data: {")) continue;
      const { content = "", reasoning_content = "" } = JSON.parse(record.slice(6)).choices[0].delta;
      reasoning += reasoning_content;
      text += content;
      if (reasoning_content) take.reasoning?.(reasoning);
      if (content) take.answer(text, content);
    }
  }
  take.end?.(text);
};

async function* pieces(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    yield decoder.decode(part.value, { stream: true });
}

/** Builds the page of a way; what the person sends begins its turn. */
export const build = (name, vitals) => {
  const way = ways[name] ?? misleading[name];
  const pieces = way.text ?? ANSWER;
  const steps = [
    ...(way.reasoning ?? []).map((reasoning_content) => [PAUSE, { reasoning_content }]),
    ...pieces.map((content) => [PAUSE, { content }]),
  ];
  document.body.innerHTML = `<nav></nav><main><div id="thread"></div></main>
    <form><textarea></textarea><button>Send</button></form>`;
  const drawn = [];
  let last = Promise.resolve();
  const chat = {
    thread: document.querySelector("#thread"),
    nav: document.querySelector("nav"),
    steps,
    observe: vitals.observe,
    drew() {
      const draw = { at: performance.now() };
      drawn.push(draw);
      last = frames(FRAMES).then((shown) => {
        draw.shown = shown;
      });
    },
    ask: (take, by = fetch, what = steps) => answerOf(what, counting(take), by),
  };
  const counting = (take) => ({
    ...take,
    answer(...args) {
      take.answer(...args);
      if (!way.own) chat.drew();
    },
  });
  way.prepare?.(chat);
  const form = document.querySelector("form");
  const field = document.querySelector("textarea");
  let submit;
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    submit = event.timeStamp;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = field.value;
    field.value = "";
    if (!way.silent) make(chat.thread, "p", "user", question);
    const take = way.begin(chat, question);
    if (take) void chat.ask(take);
  });
  globalThis.record = async () => {
    await last;
    return drawn.map(({ at, shown }) => ({ at: at - submit, shown: shown - submit }));
  };
};

globalThis.build = build;
