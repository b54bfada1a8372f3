/** The requests of CopilotKit's client, answered as its runtime does: AG-UI as server-sent events. May touch: nothing. */

const INFO = {
  version: "1.74.0",
  agents: { default: { name: "default", description: "", className: "BuiltInAgent" } },
  audioFileTranscriptionEnabled: false,
  mode: "sse",
  telemetryDisabled: true,
};

/** What the runtime adds to a run that it was told to stop: what is open is closed, and the run is finished. */
const REST = [
  { type: "TEXT_MESSAGE_END", messageId: "answer" },
  { type: "RUN_FINISHED", threadId: "thread", runId: "run" },
];

const json = (value) => ({
  headers: { "content-type": "application/json" },
  pieces: [JSON.stringify(value)],
  end: "done",
});
const events = (list) => ({
  headers: { "content-type": "text/event-stream" },
  pieces: list.map((event) => `data: ${JSON.stringify(event)}\n\n`),
  end: "done",
});

/**
 * `answers` for a `Server`. `runs` are for the runs in their order; one that hangs does so until the runtime is told to
 * stop it: the client leaves the connection alone.
 */
export const runtime = (runs) => {
  let run;
  let stop;
  const start = () => {
    const answer = runs[Math.min(run++, runs.length - 1)];
    if (answer.end !== "hang") return answer;
    const stopped = new Promise((resolve) => {
      stop = resolve;
    });
    return { ...answer, end: "done", pieces: [...answer.pieces, stopped.then(() => events(REST).pieces.join(""))] };
  };
  return ({ url }, index) => {
    if (index === 0) run = 0;
    if (url.endsWith("/run")) return start();
    // A thread of which nothing is known has no events.
    if (url.endsWith("/connect")) return events([]);
    if (url.endsWith("/info")) return json(INFO);
    stop();
    return json({ stopped: true });
  };
};
