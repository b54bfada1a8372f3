/**
 * Pages that show what might be taken for the answer. The answer itself is drawn as a whole when its stream is over:
 * nothing that is on screen before is the answer.
 */
import { make, paragraphs } from "./make.mjs";

/** `decoy(chat, question)` gives what draws besides: by `raw`, `text`, `piece`. */
const decoy = (draws, more = {}) => ({
  own: true,
  ...more,
  begin(chat, question) {
    const draw = draws(chat, question) ?? {};
    return {
      raw: draw.raw,
      answer: (text, piece) => draw.text?.(text, piece),
      end(text) {
        setTimeout(() => {
          const place = make(chat.thread, "div");
          place.innerHTML = paragraphs(text);
          chat.drew();
        }, 200);
      },
    };
  },
});
const box = (parent, tag, style, attributes = {}) => {
  const element = make(parent, tag);
  element.style = style;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";

export const misleading = {
  "the question in three places, the answer opens with it": decoy(
    ({ nav, thread }, question) => {
      for (const tag of ["h2", "p", "small"]) make(nav, tag, "", question);
      return { text: () => make(thread, "small", "", question) };
    },
    { text: ["Why are there tides at the coast? ", "Because the moon pulls the water."] },
  ),
  "completions of the question below the field": decoy(() => {
    const list = make(document.body, "ul");
    return { text: (_, piece) => make(list, "li", "", `certain ${piece.length}`) };
  }),
  "another chat on the page, its own answer growing": decoy(() => {
    const other = make(document.body, "section");
    return { text: (text) => (other.innerHTML = paragraphs(`In the other chat ${text.length} people wait: ${text}`)) };
  }),
  "a log of the raw stream": decoy(() => {
    const log = make(document.body, "pre");
    return { raw: (chunk) => log.append(chunk) };
  }),
  "a translation of the answer": decoy(() => {
    const box = make(document.body, "aside");
    return { text: (text) => (box.textContent = text.replace(/\w+/g, (word) => [...word].reverse().join(""))) };
  }),
  "a title of the answer's words in the sidebar": decoy(({ nav }) => {
    const title = make(nav, "a");
    return { text: (text) => (title.textContent = text.slice(0, 24)) };
  }),
  "a toast": decoy(() => {
    const toast = box(document.body, "div", "", { role: "status" });
    return { text: (text) => (toast.textContent = `Receiving: ${text.length} letters`) };
  }),
  "a message that says Thinking": decoy(({ thread }) => {
    const place = make(thread, "div", "", "Thinking…");
    return { text: (text) => (place.textContent = `Thinking${".".repeat(text.length % 4)}`) };
  }),
  "a caret where the answer will be": decoy(({ thread }) => {
    const place = make(thread, "div", "", "▍");
    return { text: (_, piece) => (place.textContent = piece.length % 2 ? "▍" : "") };
  }),
  "steps of the work": decoy(({ thread }) => {
    const place = make(thread, "div");
    return { text: (text) => make(place, "p", "", `Read ${text.length} pages about tides and the moon`) };
  }),
  "a copy for screen readers": decoy(({ thread }) => {
    const live = box(thread, "div", HIDDEN, { "aria-live": "polite" });
    return { text: (text) => (live.textContent = text) };
  }),
  "a copy for the clipboard": decoy(() => {
    const copy = box(document.body, "div", "position:fixed;left:-9999px;top:0");
    return { text: (text) => (copy.textContent = text) };
  }),
  "a feed that goes on": decoy(({ nav }) => {
    const feed = make(nav, "ol");
    return { text: (_, piece) => make(feed, "li", "", `Certainly news: the moon ${piece.length}`) };
  }),
};
