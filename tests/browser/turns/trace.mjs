/**
 * Truth from outside the page: when the compositor presented the frames that a change went into.
 *
 * An observer in the page marks each change of the answer in the task that made it; the marks stand in the trace too,
 * which aligns the two clocks. The frame with a change is the first one that was committed after it.
 */
const CATEGORIES = [
  "blink.user_timing",
  "cc",
  "benchmark",
  "viz",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
];

/** Marks the submit and every change of what is drawn, and begins to trace. */
export const watchDrawing = async (page) => {
  await page.evaluateOnNewDocument(() => {
    const drawn = (selector) =>
      document.querySelector(`.message.assistant ${selector}`)?.textContent.trim().length ?? 0;
    const seen = { thoughts: 0, markdown: 0 };
    new MutationObserver(() => {
      for (const place in seen) {
        const length = drawn(`.${place}`);
        if (length === seen[place]) continue;
        seen[place] = length;
        performance.mark(`drawn ${place} ${length}`);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
    addEventListener(
      "keydown",
      ({ key, timeStamp }) => key === "Enter" && performance.mark("submit", { startTime: timeStamp }),
      { capture: true },
    );
  });
  await page.tracing.start({ categories: CATEGORIES });
};

/**
 * The frames of the page that were presented, in order of their commit; in trace microseconds. Numbers are used again, now and
 * then before the frame before has ended: which of the two an end belongs to can't be told, and both are marked.
 */
const framesOf = (events, pid) => {
  const steps = events
    .filter((event) => event.pid === pid && event.cat.includes("devtools.timeline.frame"))
    .sort((a, b) => a.ts - b.ts);
  const latest = new Map();
  const frames = [];
  for (const { name, ph, ts, id2, args } of steps) {
    const frame = latest.get(id2?.local);
    if (name === "Commit" && ph === "b" && frame) frame.commit = ts;
    if (name !== "PipelineReporter") continue;
    if (ph === "b") {
      const open = frame?.open ?? 0;
      const next = { state: args.frame_reporter.state, open: open + 1, isAmbiguous: open > 0 };
      if (open > 0) frame.isAmbiguous = true;
      latest.set(id2.local, next);
      frames.push(next);
    } else if (frame) {
      frame.presented = ts;
      frame.open--;
    }
  }
  return frames
    .filter(({ commit, state, isAmbiguous }) => commit && (isAmbiguous || state.startsWith("STATE_PRESENTED")))
    .sort((a, b) => a.commit - b.commit);
};

/** The truth of a page prepared by `watchDrawing`, without what the trace does not tell; `useful` is the number of characters that are useful. */
export const tracedTruth = (useful) => async (chat) => {
  const { traceEvents } = JSON.parse(new TextDecoder().decode(await chat.page.tracing.stop()));
  const marks = await chat.page.evaluate(() =>
    performance.getEntriesByType("mark").map(({ name, startTime }) => ({ name, startTime })),
  );
  const submit = marks.findLast(({ name }) => name === "submit").startTime;
  const traced = traceEvents.find(({ name }) => name.startsWith("drawn "));
  const offset = traced.ts / 1000 - marks.find(({ name }) => name === traced.name).startTime;
  const frames = framesOf(traceEvents, traced.pid);
  const presented = ({ startTime }) => {
    const frame = frames.find(({ commit }) => commit / 1000 - offset > startTime);
    return frame.isAmbiguous ? undefined : frame.presented / 1000 - offset - submit;
  };
  const drawn = (place, least = 1) =>
    marks.filter(({ name }) => {
      const [, where, length] = name.split(" ");
      return where === place && Number(length) >= least;
    });
  return {
    firstReasoning: presented(drawn("thoughts")[0]),
    firstVisibleToken: presented(drawn("markdown")[0]),
    firstUsefulContent: presented(drawn("markdown", useful)[0]),
    finalRender: presented(drawn("markdown").at(-1)),
  };
};
