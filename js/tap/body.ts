/**
 * Watches responses through the reads that the page itself does. Nothing is cloned or read by us, and nothing is put
 * on a response, a body or a reader: hooks of their prototypes find what is watched in maps of our own.
 * May touch: the prototypes of `Response`, `ReadableStream`, its readers and iterators (through `patch`).
 *
 * What settles at once, because the stream is over or in use, is handed back as it is.
 */
import { OUT_OF_REACH } from "../engine.js";
import { end, type Flow, fail, given, giveUp, late, now } from "./flow.js";
import { type Any, asker, derive, type Hook, hooked, type Patch, type Plan, peek } from "./patch.js";
import { sink } from "./sink.js";

/** Answers read as a whole are looked into up to this many bytes. */
const WHOLE = 256 * 1024;

/** One stream of a flow: the body itself, or what a tee or a clone made of it. */
interface Branch {
  flow: Flow;
  /** Where it stands in the flow's bytes. */
  at: number;
  isOver?: boolean;
}

/** What pulls a branch: a reader or an iterator. */
interface Puller {
  branch: Branch;
  /** Leaving does not cancel the stream. */
  keeps?: boolean | undefined;
  isReleased?: boolean;
}

const ofResponse = asker("Response");

const responses = new WeakMap<Response, Flow>();
/** The body of a response that the page has asked for it. */
const bodies = new WeakMap<Response, ReadableStream>();
const branches = new WeakMap<ReadableStream, Branch>();
const pullers = new WeakMap<object, Puller>();

const leave = (branch: Branch): void => {
  if (!branch.isOver) giveUp(branch.flow);
  branch.isOver = true;
};
const done = ({ isOver, flow }: Branch): void => void (isOver || end(flow));
const failed = ({ isReleased, branch }: Puller, error: unknown): void => void (isReleased || fail(branch.flow, error));

/** Of a view or a whole buffer. */
const bytesOf = (data: Any): Uint8Array => new Uint8Array(data.buffer ?? data, data.byteOffset, data.byteLength);

const watchPuller = (object: object, branch: Branch | undefined, keeps?: boolean): void => {
  if (branch) pullers.set(object, { branch, keeps });
};

/** `read` of a reader, `next` of an iterator. */
const onPull: Hook = (_, self) => {
  const puller = pullers.get(self);
  if (!puller) return;
  const { branch, isReleased } = puller;
  const { flow } = branch;
  if (isReleased || flow.ended) return;
  flow.reads++;
  const isLate = flow.signal?.aborted;
  return (promise: Promise<ReadableStreamReadResult<ArrayBufferView>>) =>
    derive(
      promise,
      ({ value, done: isDone }) => {
        flow.reads--;
        if (value) branch.at = given(flow, branch.at, bytesOf(value));
        if (value && isLate) late(flow);
        if (isDone) done(branch);
      },
      (error) => {
        flow.reads--;
        failed(puller, error);
      },
    );
};

/** `cancel` of a reader, `return` of an iterator. */
const onLeave: Hook = (_, self) => {
  const puller = pullers.get(self);
  if (puller && !puller.keeps && !puller.isReleased) leave(puller.branch);
};

const onRelease: Hook = (_, self) => () => {
  const puller = pullers.get(self);
  if (puller) puller.isReleased = true;
};

const onReader: Hook = (_, self) => (reader) => watchPuller(reader, branches.get(self));

/** What pipes are made with: hooked, but not by way of what the page may have put in its place since. */
interface Ways {
  getReader: ReadableStream["getReader"];
  read: ReadableStreamDefaultReader["read"];
  cancel: ReadableStreamDefaultReader["cancel"];
  releaseLock: ReadableStreamDefaultReader["releaseLock"];
  getWriter: WritableStream["getWriter"];
  Readable: typeof ReadableStream;
  Writable: typeof WritableStream;
  Signal: typeof AbortSignal;
}

/** Would the browser start this pipe? If not it shall say so itself. */
const canStart = ({ Writable, Signal }: Ways, body: ReadableStream, to: unknown, signal: unknown): boolean =>
  !body.locked && to instanceof Writable && !to.locked && (signal === undefined || signal instanceof Signal);

/**
 * What a pipe reads from in place of the body, and only when it is asked; with it, what is to be done when the pipe is
 * over. Nothing for a pipe that is not asked for anything yet: it would not hear through us how its source ends; nor
 * where the page watches what promises are resolved with.
 */
const relay = (
  ways: Ways,
  body: ReadableStream,
  to: WritableStream,
  signal?: AbortSignal,
): Omit<Required<Plan>, "given"> | undefined => {
  const writer = ways.getWriter.call(to);
  const { desiredSize } = writer;
  writer.releaseLock();
  if (!desiredSize || desiredSize < 0 || signal?.aborted || "then" in Object.prototype) return undefined;
  const reader = ways.getReader.call(body, Object.create(null)) as ReadableStreamDefaultReader;
  const free = () => ways.releaseLock.call(reader);
  const source: UnderlyingDefaultSource = {
    // @ts-expect-error: nothing that the page puts on every object
    __proto__: null,
    pull: (controller) =>
      ways.read.call(reader).then(
        ({ done, value }) => {
          if (!done) return controller.enqueue(value);
          controller.close();
          free();
        },
        (error) => {
          controller.error(error);
          free();
        },
      ),
    cancel(reason) {
      const cancelled = ways.cancel.call(reader, reason);
      free(); // as a pipe does before its promise tells
      return cancelled;
    },
  };
  const on = new ways.Readable(source, { __proto__: null, highWaterMark: 0 } as QueuingStrategy);
  return { on, after: (promise) => derive(promise, free, free), undo: free };
};

/** A body that the page reads on past us. */
const loseSight =
  ({ flow }: Branch) =>
  () =>
    sink.command(OUT_OF_REACH, now(), flow.id);

const onPipeTo =
  (ways: Ways): Hook =>
  (args, self) => {
    const branch = branches.get(self);
    if (!branch) return;
    const said = peek(args[1], "signal", "preventAbort", "preventCancel", "preventClose");
    if (said && !canStart(ways, self, args[0], said.signal)) return;
    return (said && relay(ways, self, args[0], said.signal)) || loseSight(branch);
  };

const onPipeThrough =
  (ways: Ways): Hook =>
  (args, self) => {
    const branch = branches.get(self);
    if (!branch) return;
    const said = peek(args[1], "signal", "preventAbort", "preventCancel", "preventClose");
    const ends = peek(args[0], "readable", "writable");
    if (said && ends) {
      if (!(ends.readable instanceof ways.Readable && canStart(ways, self, ends.writable, said.signal))) return;
      // Nobody tells when a pipe that leaves its source alone lets go of it.
      const plan = !said.preventCancel && relay(ways, self, ends.writable, said.signal);
      if (plan) return { on: plan.on, undo: plan.undo };
    }
    return loseSight(branch);
  };

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Whatever JSON is made of. */
const SPOKEN = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/** An answer that was read as a whole, as `kind`. */
export const watchWhole = (kind: string, value: Any, flow: Flow): void => {
  if (!flow.seen) {
    let bytes: Uint8Array | false = false;
    try {
      // Nobody is to hear that an answer becomes text again.
      if (kind === "json" && SPOKEN.some((one) => "toJSON" in one)) kind = "";
      bytes =
        kind === "text"
          ? encode(value)
          : kind === "json"
            ? encode(JSON.stringify(value))
            : /^(ar|by)/.test(kind) && bytesOf(value);
    } catch {}
    // A blob knows its size, a form does not.
    const length = bytes ? bytes.length : (value?.size ?? 0);
    if (bytes && length <= WHOLE) given(flow, 0, bytes);
    else sink.skip(flow.id, now(), length);
  }
  end(flow);
};

const onWhole =
  (kind: string): Hook =>
  (_, self) => {
    const flow = responses.get(self);
    if (!flow || flow.ended || ofResponse(self, "bodyUsed") || bodies.get(self)?.locked) return;
    return (promise) =>
      derive(
        promise,
        (value) => watchWhole(kind, value, flow),
        // The stream came to its end if what it carried was not JSON.
        (error) => (error instanceof SyntaxError || error?.name === "SyntaxError" ? end(flow) : fail(flow, error)),
      );
  };

/** The body is not touched before the page does: in WebKit that alone changes what becomes of a response. */
const onBody: Hook = (_, self) => (body) => {
  const flow = responses.get(self);
  if (!flow || !body) return;
  bodies.set(self, body);
  if (!branches.has(body)) branches.set(body, { flow, at: 0 });
};

const onClone: Hook = (_, self) => {
  const flow = responses.get(self);
  // Cloning gives both a new body, and is refused where something was read.
  return (
    flow &&
    ((copy: Response) => {
      flow.branches++;
      bodies.delete(self);
      responses.set(copy, flow);
    })
  );
};

/** Statuses that come without a body. */
const EMPTY = /^(101|103|20[45]|304)$/;

/** Watches every way of reading this response. */
export const watchResponse = (response: Response, flow: Flow): void => {
  if (EMPTY.test(ofResponse(response, "status"))) end(flow);
  else responses.set(response, flow);
};

/** All hooks of bodies, of one realm. */
export const hookBodies = (realm: Any, patch: Patch): void => {
  const { ReadableStream, ReadableStreamDefaultReader, Response, WritableStream } = realm;
  const stream = ReadableStream.prototype;
  const { read, cancel, releaseLock } = ReadableStreamDefaultReader.prototype;
  const ways: Ways = {
    getReader: hooked(stream.getReader, onReader),
    read: hooked(read, onPull),
    cancel: hooked(cancel, onLeave),
    releaseLock: hooked(releaseLock, onRelease),
    getWriter: WritableStream.prototype.getWriter,
    Readable: ReadableStream,
    Writable: WritableStream,
    Signal: realm.AbortSignal,
  };
  for (const kind of "text json arrayBuffer blob formData bytes".split(" "))
    patch(Response.prototype, onWhole(kind), kind);
  patch(Response.prototype, onBody, "body");
  patch(Response.prototype, onClone, "clone");
  // Made of a body that is watched, it is read as that.
  patch(
    realm,
    ([body]) =>
      (made) => {
        const branch = branches.get(body);
        if (branch) responses.set(made, branch.flow);
      },
    "Response",
  );
  patch(stream, onReader, "getReader");
  for (const name of ["ReadableStreamDefaultReader", "ReadableStreamBYOBReader"]) {
    patch(
      realm,
      ([body]) =>
        (reader) =>
          watchPuller(reader, branches.get(body)),
      name,
    );
    const reader = realm[name]?.prototype;
    patch(reader, onPull, "read");
    patch(reader, onLeave, "cancel");
    patch(reader, onRelease, "releaseLock");
  }
  let isIterated = false;
  patch(
    stream,
    (args, self) => {
      const branch = branches.get(self);
      const said = branch && peek(args[0], "preventCancel");
      return (iterator) => {
        watchPuller(iterator, branch, !said || said.preventCancel);
        // Iterators have no name under which their prototype could be found before there is one.
        if (isIterated) return;
        isIterated = true;
        const prototype = Object.getPrototypeOf(iterator);
        patch(prototype, onPull, "next");
        patch(prototype, onLeave, "return");
      };
    },
    "values",
    Symbol.asyncIterator,
  );
  patch(
    stream,
    (_, self) => (pair) => {
      const branch = branches.get(self);
      if (!branch) return;
      branch.flow.branches++;
      for (const half of pair) branches.set(half, { ...branch });
    },
    "tee",
  );
  patch(
    stream,
    (_, self) => {
      const branch = branches.get(self);
      if (branch && !self.locked) leave(branch);
    },
    "cancel",
  );
  patch(stream, onPipeTo(ways), "pipeTo");
  patch(stream, onPipeThrough(ways), "pipeThrough");
};
