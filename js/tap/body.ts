/**
 * Watches one response through the reads that the page itself does. Nothing is cloned or read by us.
 * May touch: own properties of that response, its body, and the readers made of it.
 *
 * A promise of the page is replaced by one derived from it: a side `then` would mark its rejection as handled and
 * silence `unhandledrejection`. What settles at once (the stream is over or in use) is handed back as it is.
 */
import type { Fuse } from "../guard.js";
import type { Flow } from "./flow.js";
import { over } from "./patch.js";

/** Answers read as a whole are looked into up to this many bytes. */
const WHOLE = 256 * 1024;

type Read = { done: boolean; value?: ArrayBufferView };
// biome-ignore lint/suspicious/noExplicitAny: readers and iterators of any kind are watched alike
type Puller = any;

const bytesOf = (view: ArrayBufferView): Uint8Array =>
  view instanceof Uint8Array ? view : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Watches one branch of the stream, which stands at offset `at`. */
const watchBody = (body: ReadableStream, flow: Flow, fuse: Fuse, at = 0): void => {
  let givenUp = false;
  const giveUp = () => {
    if (!givenUp) flow.cancel();
    givenUp = true;
  };
  const done = () => {
    if (!givenUp) flow.done();
  };

  /** `read` and `cancel` of a reader; `next` and `return` of an iterator. */
  const watch = (puller: Puller, next: string, stop: string, stopCancels = true) => {
    let released = false;
    over(puller, next, (call) => {
      const promise = call();
      if (released || flow.ended || fuse.blown) return promise;
      return promise.then(
        (result: Read) => {
          fuse.run(() => {
            if (result.value) at = flow.chunk(at, bytesOf(result.value));
            if (result.done) done();
          });
          return result;
        },
        (error: unknown) => {
          fuse.run(() => released || flow.fail(error));
          throw error;
        },
      );
    });
    over(puller, stop, (call) => {
      if (stopCancels && !released) fuse.run(giveUp);
      return call();
    });
    over(puller, "releaseLock", (call) => {
      call();
      released = true;
    });
    // Tells of an end that comes while nobody reads. The standard marks this promise as handled, so a side `then` is
    // not seen. The empty step lets the last chunk pass first: a stream closes before it hands that out.
    puller.closed
      ?.then(() => {})
      .then(
        () => fuse.run(done),
        (error: unknown) => fuse.run(() => released || flow.fail(error)),
      );
  };

  /** What a pipe reads from in place of the body; asks for nothing before it is asked. */
  const relay = () => {
    const reader = body.getReader();
    return new ReadableStream(
      {
        start: (controller) => void reader.closed.catch((error) => controller.error(error)),
        pull: (controller) =>
          reader.read().then(({ done, value }) => {
            if (!done) return controller.enqueue(value);
            controller.close();
            reader.releaseLock();
          }),
        cancel(reason) {
          const cancelled = reader.cancel(reason);
          reader.releaseLock(); // as a pipe does before its promise tells
          return cancelled;
        },
      },
      { highWaterMark: 0 },
    );
  };
  /** Whether the browser would start this pipe; if not, it shall say so itself. */
  const pipes = (to: unknown, options: StreamPipeOptions = {}) =>
    !body.locked &&
    to instanceof WritableStream &&
    !to.locked &&
    !options?.preventCancel &&
    (options?.signal === undefined || (options.signal instanceof AbortSignal && !options.signal.aborted));

  over(body, "getReader", (call) => {
    const reader = call();
    fuse.run(() => watch(reader, "read", "cancel"));
    return reader;
  });
  over(body, "values", (call, [options]) => {
    const iterator = call();
    fuse.run(() => watch(iterator, "next", "return", !options?.preventCancel));
    return iterator;
  });
  // The two are one function natively.
  if (body.values) {
    Object.defineProperty(body, Symbol.asyncIterator, { value: body.values, configurable: true, writable: true });
  }
  over(body, "tee", (call) => {
    const pair: ReadableStream[] = call();
    fuse.run(() => {
      flow.fork();
      for (const branch of pair) watchBody(branch, flow, fuse, at);
    });
    return pair;
  });
  over(body, "cancel", (call) => {
    if (!body.locked) fuse.run(giveUp);
    return call();
  });
  over(body, "pipeTo", (call, [to, options]) => {
    const source = fuse.run(() => pipes(to, options) && relay());
    return source ? source.pipeTo(to, options) : call();
  });
  over(body, "pipeThrough", (call, [pair, options]) => {
    const source = fuse.run(
      () => pipes(pair?.writable, options) && pair.readable instanceof ReadableStream && relay(),
    );
    return source ? source.pipeThrough(pair, options) : call();
  });
};

/** An answer that was read as a whole. */
const watchWhole = (kind: string, value: unknown, declared: number, flow: Flow) => {
  let length = declared;
  if (value instanceof Blob) length = value.size;
  else if (kind !== "formData" && length <= WHOLE) {
    const bytes =
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : ArrayBuffer.isView(value)
          ? bytesOf(value)
          : new TextEncoder().encode(kind === "text" ? (value as string) : JSON.stringify(value));
    if (bytes.length <= WHOLE) flow.chunk(0, bytes);
    else length = bytes.length;
  }
  flow.skip(length);
  flow.done();
};

/** Watches every way of reading this response. */
export const watchResponse = (response: Response, flow: Flow, fuse: Fuse): void => {
  if (!response.body) return flow.done();
  watchBody(response.body, flow, fuse);
  for (const kind of ["text", "json", "arrayBuffer", "blob", "formData", "bytes"] as const) {
    over(response, kind as "text", (call) => {
      const refused = response.bodyUsed || response.body?.locked;
      const promise = call();
      if (refused || flow.ended || fuse.blown) return promise;
      return promise.then(
        (value: unknown) => {
          fuse.run(() => watchWhole(kind, value, Number(response.headers.get("content-length")), flow));
          return value;
        },
        (error: unknown) => {
          // The stream came to its end; what it carried was not JSON.
          fuse.run(() => (error instanceof SyntaxError ? flow.done() : flow.fail(error)));
          throw error;
        },
      );
    });
  }
  over(response, "clone", (call) => {
    const before = response.body;
    const copy = call();
    fuse.run(() => {
      flow.fork();
      // Cloning gives both a new body.
      if (response.body && response.body !== before) watchBody(response.body, flow, fuse);
      watchResponse(copy, flow, fuse);
    });
    return copy;
  });
};
