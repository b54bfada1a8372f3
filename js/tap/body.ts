/**
 * Watches one response through the reads that the page itself does. Nothing is cloned or read by us.
 * May touch: own properties of that response, its body, and the readers made of it.
 *
 * What settles at once, because the stream is over or in use, is handed back as it is.
 */
import { guard } from "../guard.js";
import { end, type Flow, fail, given, giveUp, now } from "./flow.js";
import { derive, over } from "./patch.js";
import { sink } from "./sink.js";

/** Answers read as a whole are looked into up to this many bytes. */
const WHOLE = 256 * 1024;

// biome-ignore lint/suspicious/noExplicitAny: readers and iterators of any kind are watched alike
type Puller = any;

/** Of a view or a whole buffer. */
const bytesOf = (data: Puller): Uint8Array => new Uint8Array(data.buffer ?? data, data.byteOffset, data.byteLength);

/** Watches one branch of the stream, which stands at offset `at`. */
const watchBody = (body: ReadableStream, flow: Flow, at = 0): void => {
  let isOver = false;
  const cancel = () => {
    if (!isOver) giveUp(flow);
    isOver = true;
  };
  const done = () => isOver || end(flow);

  /** `read` and `cancel` of a reader; `next` and `return` of an iterator. */
  const watch = (puller: Puller, next: string, stop: string, keeps?: boolean) => {
    let released = false;
    const failed = (error: unknown) => released || fail(flow, error);
    over(
      puller,
      () =>
        released || flow.ended
          ? undefined
          : (promise: Promise<ReadableStreamReadResult<ArrayBufferView>>) =>
              derive(
                promise,
                (result) => {
                  if (result.value) at = given(flow, at, bytesOf(result.value));
                  if (result.done) done();
                },
                failed,
              ),
      next,
    );
    over(puller, () => void (keeps || released || cancel()), stop);
    const release = () => {
      released = true;
    };
    over(puller, () => release, "releaseLock");
    // Tells of an end that comes while nobody reads. The standard marks this promise as handled, so a side `then` is
    // not seen. The empty step lets the last chunk pass first: a stream closes before it hands that out.
    puller.closed?.then().then(guard(done), guard(failed));
  };

  /**
   * What a pipe reads from in place of the body, and only when it is asked. Nothing if the browser would not start
   * this pipe: it shall say so itself.
   */
  const relay = (to: unknown, options: StreamPipeOptions = {}): ReadableStream | undefined => {
    const { preventCancel, signal } = options;
    if (body.locked || !(to instanceof WritableStream) || to.locked || preventCancel) return undefined;
    if (signal && (!(signal instanceof AbortSignal) || signal.aborted)) return undefined;
    const reader = body.getReader();
    const free = () => reader.releaseLock();
    return new ReadableStream(
      {
        start: (controller) => void reader.closed.catch((error) => controller.error(error)),
        pull: (controller) =>
          reader.read().then(({ done, value }) => {
            if (!done) return controller.enqueue(value);
            controller.close();
            free();
          }),
        cancel(reason) {
          const cancelled = reader.cancel(reason);
          free(); // as a pipe does before its promise tells
          return cancelled;
        },
      },
      { highWaterMark: 0 },
    );
  };

  over(body, () => (reader) => watch(reader, "read", "cancel"), "getReader");
  over(
    body,
    ([options]) =>
      (iterator) =>
        watch(iterator, "next", "return", options?.preventCancel),
    "values",
    Symbol.asyncIterator,
  );
  over(
    body,
    () => (pair) => {
      flow.branches++;
      for (const branch of pair) watchBody(branch, flow, at);
    },
    "tee",
  );
  over(body, () => void (body.locked || cancel()), "cancel");
  over(body, ([to, options]) => relay(to, options), "pipeTo");
  over(
    body,
    ([pair, options]) => (pair?.readable instanceof ReadableStream ? relay(pair.writable, options) : undefined),
    "pipeThrough",
  );
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An answer that was read as a whole. */
const watchWhole = (kind: string, value: Puller, flow: Flow) => {
  if (!flow.seen) {
    const bytes =
      kind === "text"
        ? encode(value)
        : kind === "json"
          ? encode(JSON.stringify(value))
          : /^(ar|by)/.test(kind) && bytesOf(value);
    // A blob knows its size, a form does not.
    const length = bytes ? bytes.length : (value.size ?? 0);
    if (bytes && length <= WHOLE) given(flow, 0, bytes);
    else sink.skip(flow.id, now(), length);
  }
  end(flow);
};

/** Watches every way of reading this response. */
export const watchResponse = (response: Response, flow: Flow): void => {
  const { body } = response;
  if (!body) {
    end(flow);
    return;
  }
  watchBody(body, flow);
  for (const kind of "text json arrayBuffer blob formData bytes".split(" ")) {
    over(
      response,
      () =>
        response.bodyUsed || response.body?.locked || flow.ended
          ? undefined
          : (promise) =>
              derive(
                promise,
                (value) => watchWhole(kind, value, flow),
                // The stream came to its end if what it carried was not JSON.
                (error) => (error instanceof SyntaxError ? end(flow) : fail(flow, error)),
              ),
      kind,
    );
  }
  over(
    response,
    () => {
      const before = response.body;
      return (copy) => {
        flow.branches++;
        // Cloning gives both a new body.
        if (response.body && response.body !== before) watchBody(response.body, flow);
        watchResponse(copy, flow);
      };
    },
    "clone",
  );
};
