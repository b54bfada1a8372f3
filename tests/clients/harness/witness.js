/** Loaded first, with and without the SDK: notes every complaint that a person at the console would see. */
(() => {
  const problems = [];
  const say = (kind, value) =>
    problems.push(
      `${kind}: ${value instanceof Error || value instanceof DOMException ? `${value.name}: ${value.message}` : String(value)}`,
    );
  addEventListener("error", (event) => say("error", event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => say("unhandledrejection", event.reason));
  addEventListener("rejectionhandled", (event) => say("rejectionhandled", event.reason));
  for (const level of ["error", "warn"]) {
    const original = console[level];
    console[level] = (...values) => {
      for (const value of values) say(`console.${level}`, value);
      return original.apply(console, values);
    };
  }
  window.problems = problems;
  /** Errors that the application caught. */
  window.errors = [];
  /** Answers that ended, in whatever way. */
  window.ended = 0;
})();
