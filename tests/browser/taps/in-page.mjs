/** What the scenarios share; runs in the browser. `key` names a stream at the server. */
export const url = (key, rest = "") => `/sse?key=${key}${rest}`;
export const text = (bytes) => new TextDecoder().decode(bytes);
export const state = async (key) => (await fetch(`/state?key=${key}`)).json();
export const closed = async (key) => (await fetch(`/wait-closed?key=${key}`)).json();
/** What was found out about the engine before; see run.mjs. */
export const engine = { cancelCloses: true };
/** As `closed`, after a cancel: not all engines close then, but only when more is to come. */
export const closedByCancel = (key) => (engine.cancelCloses ? closed(key) : undefined);
/** The scenario is skipped: it is about something that the engine doesn't have. */
export const lacks = (what) => {
  throw { lacks: what };
};
export const inTime = (promise, what) => {
  const late = new Promise((resolve) => setTimeout(resolve, 3_000));
  return Promise.race([promise, late.then(() => lacks(what))]);
};
export const tick = () => new Promise((resolve) => setTimeout(resolve));
/** Where an error came from is on it in WebKit now and then, with the taps and without. */
const PLACES = ["line", "column", "sourceURL"];
const marks = (error) => Object.keys(error ?? {}).filter((name) => !PLACES.includes(name));

/** The error as the page sees it. */
export const outcome = (promise) =>
  promise.then(
    (value) => ["value", typeof value === "object" ? Object.prototype.toString.call(value) : value],
    (error) => ["error", error?.name, error?.message, marks(error), Object.prototype.toString.call(error)],
  );
export const drain = async (reader) => {
  let all = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all;
    all += text(value);
  }
};
/** Which came first: the promise, or so many microtasks? */
export const order = async (make) => {
  const log = [];
  let micro = Promise.resolve();
  const promise = make();
  for (let i = 0; i < 4; i++) micro = micro.then(() => log.push(i));
  promise.then(
    () => log.push("resolved"),
    () => log.push("rejected"),
  );
  await micro;
  await promise.catch(() => {});
  await tick();
  return log;
};
/** Rejections that nobody handles, while `run` runs. */
export const unhandled = async (run) => {
  const seen = [];
  const note = (event) => {
    event.preventDefault();
    seen.push([event.type, event.reason?.name]);
  };
  addEventListener("unhandledrejection", note);
  addEventListener("rejectionhandled", note);
  const late = await run();
  await tick();
  await tick();
  if (late) {
    late.promise.catch(() => {});
    await tick();
    await tick();
  }
  removeEventListener("unhandledrejection", note);
  removeEventListener("rejectionhandled", note);
  return seen;
};
export const aborted = (reason) => {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
};
