// What people ask and how they behave: the only place with numbers about them.

export const questions = [
  "What makes the northern lights glow?",
  "Plan three days in Lisbon with two children",
  "Write a debounce hook for React",
  "Why is my query slow, and which index would help?",
  "How do I get a sourdough starter going?",
  "Explain Rust ownership with a short example",
  "Which mortgage is better for me, fixed or variable?",
  "Write a polite mail about a late delivery",
  "My fern has brown tips, what should I do?",
  "How do I prepare for a system design interview in a week?",
  "Give me a regular expression for ISO dates",
  "I sleep badly since we moved, any ideas?",
];

export const followUps = [
  "Make it shorter, please",
  "Why is that?",
  "Can you give me an example?",
  "And what if I have less time?",
  "Put it into a table",
];

/** Shares of what people do with a turn. */
export const turns = {
  read: 66,
  stop: 9,
  regenerate: 7,
  edit: 4,
  interrupt: 3,
  switch: 3,
  hide: 4,
  close: 3,
  leave: 1,
};

export const formats = ["openai-chat", "openai-responses", "anthropic-messages", "ai-sdk-ui", "ollama", "plain-text"];
export const serverSentFormats = formats.slice(0, 4);

/** How long people wait for the first word, by what they see meanwhile: medians in ms. */
export const patience = { none: 5_000, spinner: 8_000, skeleton: 8_500, steps: 13_000 };

/** Some change the settings by hand; most see what the experiment gives them. */
export function chooseQuery(random) {
  const query = new URLSearchParams({ format: random.pick(formats) });
  if (random.chance(0.15) && serverSentFormats.includes(query.get("format"))) query.set("transport", "eventsource");
  if (random.chance(0.15)) query.set("progress", random.pick(Object.keys(patience)));
  if (random.chance(0.1)) query.set("buffer", "200");
  return query;
}
