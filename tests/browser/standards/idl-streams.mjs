/** Streams: interfaces as their IDL has them, for streams of the page and for one that came by fetch. */
import { byteStream } from "./common.mjs";

const { body } = await fetch("/body");
Object.assign(globalThis, {
  watched: body,
  reader: new ReadableStream().getReader(),
  byobReader: byteStream({})?.getReader({ mode: "byob" }),
  watchedReader: (await fetch("/body")).body.getReader(),
});
idl_test(["streams"], ["dom"], (idl) => {
  idl.add_objects({
    ReadableStream: ["new ReadableStream()", "watched"],
    ReadableStreamDefaultReader: ["reader", "watchedReader"],
    ReadableStreamBYOBReader: globalThis.byobReader ? ["byobReader"] : [],
    WritableStream: ["new WritableStream()"],
    TransformStream: ["new TransformStream()"],
    ByteLengthQueuingStrategy: ["new ByteLengthQueuingStrategy({ highWaterMark: 5 })"],
    CountQueuingStrategy: ["new CountQueuingStrategy({ highWaterMark: 5 })"],
  });
});
