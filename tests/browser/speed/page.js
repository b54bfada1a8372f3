/**
 * How long the engine needs for streams that are at hand, and how long `eventsource-parser` with `JSON.parse` does. In the page:
 * the package's own wasm, one call a chunk, the whole way to the turn.
 */
(() => {
  const ASKS_STREAM = 2;
  const POST = 4;

  /** What the API hands an engine, without taps. */
  const host = {
    tap: {
      run: (start) => start(),
      attach() {},
      fetch,
      guard: (fn) => fn,
      matches: () => 0,
      installedAt: 0,
      options: {},
    },
    listeners: new Map(),
    page: "0123456789abcdef",
    session: "0123456789abcdef",
    isWanted: () => true,
  };

  const bytesOf = (base64) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));

  /** Milliseconds for each round: `make` gives what a round does, unmeasured, and `check` sees whether it was done. */
  const rounds = async (count, make, check = () => {}) => {
    const times = [];
    for (let round = -2; round < count; round++) {
      const work = await make();
      const start = performance.now();
      work();
      if (round >= 0) times.push(performance.now() - start);
      await check();
    }
    return times;
  };

  /** A new engine each time: a turn keeps a limited number of requests. */
  const withEngine = (boot, { contentType, chunks }) => {
    let engine;
    let told;
    const make = async () => {
      told = undefined;
      const send = ({ turns }) => {
        told = turns.at(-1);
      };
      engine = await boot({ send, consent: "measure" }, host);
      const now = performance.now();
      engine.open(1, now, 0, "POST", `${location.origin}/api/chat`, ASKS_STREAM | POST);
      engine.head(1, now, 200, contentType, []);
      return () => {
        for (const chunk of chunks) engine.chunk(1, performance.now(), chunk);
        engine.close(1, performance.now(), 0, "");
      };
    };
    const check = () => {
      dispatchEvent(new PageTransitionEvent("pagehide")); // an open turn is told of when the page goes
      engine.shutdown();
      const read = told?.requests[0];
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      if (read?.bytes !== bytes || read.malformed) throw new Error(`not read: ${JSON.stringify(told)}`);
    };
    return { make, check };
  };

  const withParser =
    (createParser, { chunks }) =>
    () => {
      let kept;
      const parser = createParser({
        onEvent({ data }) {
          if (data !== "[DONE]") kept = JSON.parse(data);
        },
      });
      const decoder = new TextDecoder();
      return () => {
        for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
        return kept;
      };
    };

  /** `streams`: name, content type, chunks in base64. Answers with the times of each way of reading, in milliseconds. */
  globalThis.speed = async (streams, count) => {
    const { boot } = await import("/dist/engine-inline.js");
    const { createParser } = await import("/eventsource-parser.js");
    const results = [];
    for (const { name, contentType, chunks } of streams) {
      const stream = { contentType, chunks: chunks.map(bytesOf) };
      const { make, check } = withEngine(boot, stream);
      const engine = await rounds(count, make, check);
      results.push({ name, engine, parser: await rounds(count, withParser(createParser, stream)) });
    }
    return results;
  };
})();
