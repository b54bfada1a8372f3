/** What the taps must have said of a scenario. `calls` is a list of [name, ...arguments], `result` what the page was told. */
const streams = (calls) => {
  const found = new Map();
  for (const [name, id, ...rest] of calls) {
    if (name === "open")
      found.set(id, {
        url: rest[3],
        method: rest[2],
        hint: rest[4],
        transport: rest[1],
        ends: [],
        text: "",
        heads: [],
      });
    const stream = found.get(id);
    if (name === "head") stream.heads.push(rest);
    if (name === "chunk") stream.text += rest[1];
    if (name === "message") stream.text += `${rest[1]}:${rest[2]} `;
    if (name === "reconnect") stream.reconnects = (stream.reconnects ?? 0) + 1;
    if (name === "close") stream.ends.push(rest.slice(1));
  }
  return [...found.values()];
};
const answers = (calls) => streams(calls).filter(({ url }) => /\/sse|\/events/.test(url));
const THREE = "data: 0\n\ndata: 1\n\ndata: 2\n\n";

/** One stream, read whole, once. */
const whole = (calls, assert) => {
  const [stream, ...others] = answers(calls);
  assert.deepEqual([stream.text, stream.ends, others.length], [THREE, [[0, ""]], 0]);
};
const ends =
  (end, type = "") =>
  (calls, assert) => {
    for (const stream of answers(calls)) assert.deepEqual(stream.ends, [[end, type]]);
  };

/** WebKitGTK takes a connection that breaks for the answer's end: then so do the taps. */
const endsAsTold = (wasError, type) => (calls, assert, result) =>
  ends(...(wasError(result) ? [1, type] : [0, ""]))(calls, assert);

export const sightings = {
  readToTheEnd(calls, assert) {
    whole(calls, assert);
    const names = calls.map(([name]) => name);
    assert.deepEqual(names.slice(0, 2), ["open", "head"]);
    assert.equal(names.at(-1), "close");
    const [, , t0] = calls[0];
    assert.ok(
      calls.every(([, , t]) => t >= t0),
      "no time before the request's",
    );
    const [, status, type, headers] = answers(calls)[0].heads[0];
    assert.deepEqual([status, type, headers], [200, "text/event-stream", ["x-request-id", "r-1"]]);
  },
  wholeText: whole,
  wholeJson(calls, assert) {
    const [stream] = streams(calls);
    assert.deepEqual([stream.hint, stream.text, stream.ends], [6, '{"a":[1,"ü"]}', [[0, ""]]]);
  },
  brokenJson: (calls, assert) => assert.deepEqual(streams(calls)[0].ends, [[0, ""]]),
  cancelByReader: ends(2),
  cancelByBody: ends(2),
  sixCancelledThenGet: ends(2),
  /** WebKit has an error of its own where others have the page's reason. */
  abortMidStream: (calls, assert, result) => ends(3, result[0] ? "Error" : "AbortError")(calls, assert),
  abortByRequestSignal: ends(3, "AbortError"),
  abortWhileNobodyReads: ends(3, "AbortError"),
  abortBeforeHeaders: (calls, assert) => assert.deepEqual(streams(calls)[0].ends, [[3, "AbortError"]]),
  serverReset: endsAsTold(([, [kind]]) => kind === "error", "TypeError"),
  asksForStream: (calls, assert) =>
    assert.deepEqual(
      streams(calls).map(({ hint }) => hint),
      [6, 6, 6, 6, 6, 4, 4],
    ),
  /** Each was called three times. Some engines accept what others refuse, or refuse it only after some time. */
  rejectsAtOnce(calls, assert, result) {
    // What isn't HTTP is no affair of the taps.
    const { scheme, ...web } = result;
    const later = Object.values(web).filter(([, order]) => ["resolved", "rejected"].includes(order.at?.(-1)));
    assert.equal(streams(calls).length, later.length * 3);
  },
  networkError: (calls, assert) => assert.deepEqual(streams(calls)[0].ends, [[1, "TypeError"]]),
  byob: whole,
  tee: whole,
  teeOneCancelled: ends(2),
  cloneTwice: whole,
  pipeThroughDecoder: whole,
  pipeThroughCancelled: ends(2),
  pipesAborted: ends(3, "AbortError"),
  pipeThroughReset: endsAsTold(([, [kind]]) => kind === "error", "TypeError"),
  pipeTo: whole,
  pipeToAborted: ends(2),
  pipeToFailingSink: ends(2),
  pipeToPreventCancel: whole,
  pipeToPreventing: whole,
  pipesPastPatches: (calls, assert) =>
    assert.deepEqual(
      answers(calls).map(({ text, ends }) => [text, ends]),
      [
        [THREE, [[0, ""]]],
        [THREE, [[0, ""]]],
      ],
    ),
  pipeThroughPreventCancel(calls, assert) {
    const [stream] = answers(calls);
    assert.ok(calls.some(([name, said, , id]) => name === "command" && said === 9 && id));
    assert.ok(stream.text.length < THREE.length);
  },
  cloneAfterRead: whole,
  branchAsResponse: whole,
  eventSourceLate(calls, assert) {
    const [stream] = answers(calls);
    assert.equal(stream.text, "message:d2 odd:d3 message:d4 ");
  },
  iterate: whole,
  iterateAndLeave: ends(2),
  iterateAndThrow: ends(2),
  iterateAndKeep: whole,
  twoReaders: whole,
  eventSource(calls, assert) {
    const [stream, ...others] = answers(calls);
    assert.equal(others.length, 0);
    assert.deepEqual(stream.text, "odd:d1 message:d2 odd:d3 message:d4 odd:d5 message:d6 ");
    assert.deepEqual([stream.transport, stream.reconnects, stream.heads.length, stream.ends], [1, 1, 1, [[2, ""]]]);
  },
  xhrText: whole,
  xhrProgress(calls, assert) {
    whole(calls, assert);
    const [stream] = answers(calls);
    assert.deepEqual([stream.transport, stream.method, stream.hint, stream.heads.length], [2, "POST", 6, 1]);
    assert.deepEqual(stream.heads[0].slice(1), [200, "text/event-stream", ["x-request-id", "r-1"]]);
    assert.ok(calls.filter(([name]) => name === "chunk").length > 1, "as it grows");
  },
  xhrAbort: ends(3, "AbortError"),
  xhrTimeout: ends(1, "timeout"),
  xhrReset: endsAsTold(([log]) => log.includes("error"), "error"),
  xhrTwice(calls, assert) {
    const [first, second] = answers(calls);
    assert.deepEqual([first.ends, second.ends, second.text], [[[2, ""]], [[0, ""]], THREE]);
  },
  responseOfBody: whole,
  readerByConstructor: whole,
  eventSourceRefused: (calls, assert) => assert.deepEqual(streams(calls)[0].ends, [[1, "Event"]]),
};
