/** The ways in which chat pages draw an answer; each closes a kind of page that was measured wrongly or might be. */
import { make, paragraphs } from "./make.mjs";

const THOUGHT = ["The visitor wants ", "a plain explanation. ", "Keep it short."];

/** A place that is rendered anew with each piece. */
const plain = (parent, tag = "div") => {
  const place = make(parent, tag, "answer");
  return (text) => {
    place.innerHTML = paragraphs(text);
  };
};

/** Reasoning and answer side by side in one message; `at` puts the answer there, `then` is done to the panel. */
const beside = (at, then = () => {}, named = false) => ({
  reasoning: THOUGHT,
  begin({ thread }) {
    const message = make(thread, "div", "message");
    const panel = make(message, "details", "reasoning");
    panel.open = true;
    if (named) make(panel, "summary", "", "Thinking");
    const thoughts = make(panel, "p");
    let place;
    return {
      reasoning(text) {
        thoughts.textContent = text;
      },
      answer(text) {
        if (!place) {
          place = make(message, "div");
          panel[at](place);
          then(panel);
        }
        place.innerHTML = paragraphs(text);
      },
    };
  },
});

/** An answer of its own text, drawn as `draw(place, text)`. */
const said = (text, draw = (place, so_far) => (place.innerHTML = paragraphs(so_far))) => ({
  text,
  begin({ thread }) {
    const place = make(thread, "div");
    return { answer: (so_far) => void draw(place, so_far) };
  },
});

const nested = ({ nodes }, root) => {
  let parent = root;
  for (const name of nodes) parent = make(parent, name).attachShadow({ mode: "open" });
  return parent;
};

export const ways = {
  "reasoning, then the answer below it": beside("after"),
  "reasoning, then the answer above it": beside("before"),
  "reasoning that closes when the answer begins": beside(
    "after",
    (panel) => {
      panel.open = false;
      panel.firstChild.textContent = "Thought for 3 seconds";
    },
    true,
  ),
  "reasoning that goes when the answer begins": beside("after", (panel) => panel.remove()),
  "reasoning and answer rendered again as a whole": {
    reasoning: THOUGHT,
    begin({ thread }) {
      const before = thread.innerHTML;
      let thoughts = "";
      const draw = (text) => {
        const answer = text && `<div>${paragraphs(text)}</div>`;
        thread.innerHTML = `${before}<div><details open><p>${thoughts}</p></details>${answer}</div>`;
      };
      return {
        reasoning(text) {
          thoughts = text;
          draw("");
        },
        answer: draw,
      };
    },
  },
  "paragraphs straight into the list of messages": {
    begin({ thread }) {
      const places = [];
      return {
        answer(text) {
          text.split("\n\n").forEach((part, index) => {
            places[index] ??= make(thread, "p");
            if (places[index].textContent !== part) places[index].textContent = part;
          });
        },
      };
    },
  },
  "parts in rows, tools between them": {
    begin({ thread }) {
      const rows = [];
      return {
        answer(text) {
          text.split("\n\n").forEach((part, index) => {
            if (!rows[index] && index) make(make(thread, "section"), "p", "", `Searched ${index} pages`);
            rows[index] ??= make(make(thread, "section"), "p");
            rows[index].textContent = part;
          });
        },
      };
    },
  },
  "open shadow roots, one in the other, from the beginning": {
    prepare(chat) {
      chat.root = nested({ nodes: ["chat-app", "chat-list", "chat-message"] }, chat.thread);
    },
    begin: ({ root }) => ({ answer: plain(root) }),
  },
  "open shadow roots that come with the message": {
    begin({ thread }) {
      const root = nested({ nodes: ["chat-row", "chat-bubble"] }, thread);
      return { answer: plain(root) };
    },
  },
  "a dialog beside the page": {
    begin: () => ({ answer: plain(make(document.body, "dialog-box")) }),
  },
  "a virtual list that takes the answer out and puts it in again": {
    begin({ thread }) {
      let row = make(thread, "div");
      return {
        answer(text, piece) {
          const old = row;
          row = make(thread, "div", "", text);
          old.remove();
          if (piece.startsWith("\n\nAs")) {
            row.remove();
            row = make(thread, "div", "", text);
          }
        },
      };
    },
  },
  "letters typed slower than they come": {
    own: true,
    begin({ thread, drew }) {
      const place = make(thread, "p");
      let goal = "";
      let shown = 0;
      const type = () => {
        if (shown < goal.length) {
          shown = Math.min(shown + 3, goal.length);
          place.textContent = goal.slice(0, shown);
          drew();
        }
        if (shown < goal.length) setTimeout(type, 30);
      };
      return {
        answer(text) {
          const idle = shown === goal.length;
          goal = text;
          if (idle) type();
        },
      };
    },
  },
  "a span for each word, in a span": said(undefined, (place, text) => {
    place.innerHTML = text.replace(/\S+\s*/g, "<span><span>$&</span></span>");
  }),
  "an answer that opens with code": said(
    [
      "```python\nfor day in range(28):\n",
      "    print(tide(day))\n```\n\n",
      "This prints the height of the tide for each day.",
    ],
    (place, text) => {
      const [code, after = ""] = text.replace("```python\n", "").split("```");
      const bar = "<div><span>python</span><button>Copy code</button></div>";
      place.innerHTML = `<div>${bar}<pre><code>${code}</code></pre></div>${after.trim() && paragraphs(after.trim())}`;
    },
  ),
  "code after a few words": said(
    [
      "Try this:\n\n",
      "```python\nfor day in range(28):\n",
      "    print(tide(day))\n```\n\n",
      "It prints the height of the tide for each day.",
    ],
    (place, text) => {
      const [before, code, after = ""] = text.split(/```(?:python\n)?/);
      const bar = "<div><span>python</span><button>Copy code</button></div>";
      const block = code === undefined ? "" : `<div>${bar}<pre><code>${code}</code></pre></div>`;
      place.innerHTML = `<p>${before}</p>${block}${after.trim() && paragraphs(after.trim())}`;
    },
  ),
  "a table": said(
    ["| Month | Height |\n|---|---|\n", "| January | three metres |\n", "| February | four metres |\n"],
    (place, text) => {
      const rows = text.split("\n").filter((line) => /\w/.test(line));
      const cells = (row) =>
        row
          .split("|")
          .slice(1, -1)
          .map((cell) => `<td>${cell.trim()}</td>`)
          .join("");
      place.innerHTML = `<table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</table>`;
    },
  ),
  "formulas, of which the page draws other text": said(
    [
      "The force is $F = G \\frac{m_1 m_2}{r^2}$, ",
      "so that twice the distance makes a quarter of it. ",
      "The tide itself goes by the third power.",
    ],
    (place, text) => {
      const [before, formula, after = ""] = text.split("$");
      const drawn = formula ? `<span class="katex"><math><mi>F=Gm1m2r2</mi></math><i>F</i><i>=</i>Gr2m1m2</span>` : "";
      place.innerHTML = `<p>${before}${drawn}${after}</p>`;
    },
  ),
  "right to left": said([
    "بالتأكيد. ",
    "يتبع المد القمر لأن الجاذبية تسحب الماء إلى انتفاخين.",
    "\n\nتلتقي كل ساحل بهما.",
  ]),
  Chinese: said(["当然。", "潮汐随月亮而动，因为引力把海水拉成两个隆起。", "\n\n地球转动时，每个海岸都会遇到两者。"]),
  "emoji before the words": said(["🌊🌙 ", "Tides follow the moon 🌙 because gravity pulls.", "\n\n🎉 That is all."]),
  // The question alone is not told from its echo.
  "an answer that opens with the question": {
    text: ["> Why are there tides at the coast?\n\n", "Because the moon pulls the water.", "\n\nTwice a day it comes."],
    own: true,
    begin({ thread, drew }) {
      const place = make(thread, "div");
      return {
        answer(text) {
          const [quote, ...rest] = text.replace("> ", "").split("\n\n");
          place.innerHTML = `<blockquote>${quote}</blockquote>${paragraphs(rest.join("\n\n"))}`;
          if (rest.join("")) drew();
        },
      };
    },
  },
  "a frame of the same origin that the application wants watched": {
    prepare(chat) {
      const frame = make(chat.thread, "iframe");
      frame.style = "width: 600px; height: 400px";
      chat.frame = frame.contentWindow;
      chat.observe(chat.frame);
    },
    begin(chat) {
      void chat.ask({ answer: plain(chat.frame.document.body) }, chat.frame.fetch);
    },
  },
  "two models side by side": {
    own: true,
    begin({ thread, steps: [first, ...others], ask, drew }) {
      const models = {
        A: [first, ...others],
        B: [[220, { content: "Gladly, in short: " }], ...others, [300, { content: " So much of it." }]],
      };
      for (const [name, steps] of Object.entries(models)) {
        const column = make(thread, "div");
        make(column, "h3", "", `Model ${name}`);
        const place = make(make(column, "div"), "div");
        const answer = (text) => {
          place.innerHTML = paragraphs(text);
          drew();
        };
        void ask({ answer }, fetch, steps);
      }
    },
  },
};
