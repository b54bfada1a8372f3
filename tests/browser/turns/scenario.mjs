/** What the server plays. Texts are of words that occur nowhere else on the page. */

export const filler = "Sure! ";
export const useful = "The tide follows the moon because gravity pulls the water into two bulges. ";
export const second = "\n\nAs the earth turns below them, each coast meets both. ";
export const last = "\n\nHarbours therefore publish tables every year.";
export const reasoning = "The visitor wants a plain explanation. ";

/** The script of the accuracy measurement: reasoning 0.5 s, filler 1 s, useful 2 s, end 4 s. */
export const measured = {
  steps: [
    { at: 500, reasoning },
    { at: 700, reasoning: "Facts only." },
    { at: 1000, text: filler },
    { at: 2000, text: useful },
    { at: 3000, text: second },
    { at: 3900, text: last },
    { at: 4000, end: "done" },
  ],
};

/** An answer of three pieces; `end` is how it ends, `gap` the time between. */
export const answer = ({ end = "done", gap = 100 } = {}) => ({
  steps: [
    { at: gap, text: filler },
    { at: 2 * gap, text: useful },
    { at: 3 * gap, text: second },
    { at: 4 * gap, end },
  ],
});

/** Comes as far as it says and then stays open. */
export const hanging = {
  beforeToken: { steps: [{ at: 100, end: "hang" }] },
  beforeUseful: {
    steps: [
      { at: 100, text: filler },
      { at: 150, end: "hang" },
    ],
  },
  streaming: {
    steps: [
      { at: 100, text: filler },
      { at: 200, text: useful },
      { at: 300, end: "hang" },
    ],
  },
};

export const limited = { status: 429, retryAfter: 1, at: 50 };
