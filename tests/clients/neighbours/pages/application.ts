/**
 * An application that does with `fetch` what applications do, and says what it saw of it.
 * May touch: its own page. Knows neither the neighbour nor the SDK, but for where its code runs.
 */
import "./neighbour.js";

type Seen = unknown;

const place = document.body.appendChild(document.createElement("p"));
const asking = { method: "POST", headers: { "content-type": "application/json" }, body: '{"stream":true}' };
const errorOf = ({ name, message }: Error): Seen => ({ name, message });

/** What an answer says, and how long it is; of empty comments there are more or fewer. */
const digest = (text: string): Seen => {
  const said = [...text.matchAll(/"content":"(.*?)"/g)].map(([, words]) => words).join("");
  return { said, length: text.replaceAll(": still here\n\n", "").length };
};

/** Reads on, and draws it, until the end or an error. */
const rest = async (reader: ReadableStreamDefaultReader<Uint8Array>, first?: Uint8Array): Promise<Seen> => {
  const decoder = new TextDecoder();
  let text = decoder.decode(first, { stream: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return digest(text);
      text += decoder.decode(value, { stream: true });
      place.textContent = text.replaceAll(/data: .*?"content":"(.*?)".*\n|.*\n/g, "$1");
    }
  } catch (error) {
    return errorOf(error as Error);
  }
};

const readerOf = ({ body }: Response) => (body as ReadableStream<Uint8Array>).getReader();

const begin = async (answer: Promise<Response>) => {
  const reader = readerOf(await answer);
  const { value } = await reader.read();
  return { reader, value };
};

/** Long enough for a request to be out. */
const moment = () => new Promise<void>((resolve) => setTimeout(resolve, 150));

/** What is thrown at once is another thing than what is rejected. */
const outcome = async (call: () => Promise<Response>): Promise<Seen> => {
  let promise: Promise<Response>;
  try {
    promise = call();
  } catch (error) {
    return { thrown: errorOf(error as Error) };
  }
  try {
    const { status, url, type, redirected } = await promise;
    return { status, path: new URL(url).pathname, type, redirected };
  } catch (error) {
    return { rejected: errorOf(error as Error), keys: Object.keys(error as Error) };
  }
};

const chat = async (): Promise<Seen> => {
  const response = await fetch("/chat", asking);
  const { status, url, type, redirected } = response;
  const own = Object.getOwnPropertyNames(response);
  return { status, url: new URL(url).pathname, type, redirected, own, text: await rest(readerOf(response)) };
};

const one: Record<string, () => Promise<Seen>> = {
  async "an answer that is cloned"() {
    const response = await fetch("/cloned", asking);
    const copy = response.clone();
    return [digest(await response.text()), digest(await copy.text())];
  },
  async "a whole answer"() {
    return (await fetch("/json")).json();
  },
  "a request object": () =>
    outcome(() => fetch(new Request("/echo", { method: "POST", body: "a", headers: { "x-a": "b" } }))),
  "an answer that a worker may make": () => outcome(() => fetch("/mocked")),
  "a refusal": () => outcome(() => fetch("/refused")),
  "no server": () => outcome(() => fetch("http://127.0.0.1:3/")),
  "no address": () => outcome(() => fetch("http://[")),
  async "the page's options"() {
    const { signal } = new AbortController();
    const init: RequestInit = { signal, headers: { "x-a": "b" } };
    const { headers } = init;
    await fetch("/json?options", init);
    return { keys: Object.keys(init), signal: init.signal === signal, headers: init.headers === headers };
  },
  async "an abort at once"() {
    const controller = new AbortController();
    const seen = outcome(() => fetch("/at-once", { signal: controller.signal }));
    controller.abort();
    return seen;
  },
  async "an abort before the answer"() {
    const controller = new AbortController();
    const seen = outcome(() => fetch("/never", { signal: controller.signal }));
    await moment();
    controller.abort();
    return seen;
  },
  async "an abort that nobody handles"() {
    const controller = new AbortController();
    fetch("/never?unhandled", { signal: controller.signal });
    await moment();
    controller.abort();
    // What is said of it, and how, is for `window.problems` to tell; by then it is said.
    return moment();
  },
  "where code runs after an answer": () =>
    new Promise((resolve) => {
      // Not by `await`: zones do not follow it.
      fetch("/json?place").then(() => resolve(window.neighbour?.here?.()));
    }),
};

/** These may go on until the server ends them, so they wait together. */
const together: Record<string, () => Promise<Seen>> = {
  async "an abort in the middle"() {
    const controller = new AbortController();
    const { reader, value } = await begin(fetch("/aborted", { ...asking, signal: controller.signal }));
    controller.abort();
    return rest(reader, value);
  },
  async "an abort with a reason"() {
    const controller = new AbortController();
    const { reader, value } = await begin(fetch("/given-up", { ...asking, signal: controller.signal }));
    controller.abort(new RangeError("enough"));
    return rest(reader, value);
  },
  async "an abort of a request object"() {
    const controller = new AbortController();
    const request = new Request("/aborted-request", { ...asking, signal: controller.signal });
    const { reader, value } = await begin(fetch(request));
    controller.abort();
    return rest(reader, value);
  },
  async "a cancel in the middle"() {
    const { reader } = await begin(fetch("/cancelled", asking));
    return [typeof (await reader.cancel()), await rest(reader)];
  },
};

/** Runs it as the neighbour wants it to be run. */
const around = <T>(run: () => T): T => (window.neighbour.around ?? ((run) => run()))(run);

/** All of it, but for a chat; what was seen, by name. */
const visit = async (): Promise<Record<string, Seen>> => {
  const seen: Record<string, Seen> = {};
  for (const [name, run] of Object.entries(one)) seen[name] = await around(run);
  const entries = Object.entries(together).map(async ([name, run]) => [name, await around(run)]);
  return { ...seen, ...Object.fromEntries(await Promise.all(entries)) };
};

type Stop = (controller: AbortController, reader: ReadableStreamDefaultReader) => unknown;

/** A chat with a stop button, until its end. */
const stoppable = (stop: Stop) => async (): Promise<Seen> => {
  const controller = new AbortController();
  const { reader, value } = await begin(around(() => fetch("/stopped", { ...asking, signal: controller.signal })));
  const button = document.body.appendChild(document.createElement("button"));
  button.textContent = "Stop generating";
  button.addEventListener("click", () => {
    stop(controller, reader);
    button.disabled = true;
  });
  button.id = "stop";
  return rest(reader, value);
};

const scenarios = {
  chat: () => around(chat),
  visit,
  abortable: stoppable((controller) => controller.abort()),
  cancellable: stoppable((_, reader) => reader.cancel()),
};

const results: Record<string, Seen> = {};

/** Starts a scenario; `results[name]` is there when it is over. */
Object.assign(window, {
  results,
  async start(name: keyof typeof scenarios) {
    results[name] = (await scenarios[name]()) ?? null;
  },
});
