/** The ways in which pages draw an answer. `answer` makes its place and gives what draws: all text so far, the new piece. */

const make = (parent, tag, className = "") => {
  const element = document.createElement(tag);
  element.className = className;
  parent.append(element);
  return element;
};
const paragraphs = (text) =>
  text
    .split("\n\n")
    .map((part) => `<p>${part}</p>`)
    .join("");
const plain = (thread) => {
  const place = make(thread, "div", "answer");
  return (text) => {
    place.innerHTML = paragraphs(text);
  };
};

/** Ways of drawing an answer where nobody sees it. */
export const unseen = {
  "far below the fold": {
    answer(thread) {
      make(thread, "div").style.height = "4000px";
      return plain(thread);
    },
  },
  "without opacity": {
    answer(thread) {
      const place = make(thread, "div");
      place.style.opacity = "0";
      return plain(place);
    },
  },
};

export const ways = {
  "one element, its text replaced": {
    answer(thread) {
      const place = make(thread, "p", "answer");
      return (text) => {
        place.textContent = text;
      };
    },
  },
  "everything rendered again": { answer: plain },
  "a span for each token": {
    answer(thread) {
      const place = make(make(thread, "article"), "p", "answer");
      return (_, piece) => {
        for (const token of piece.match(/\s*\S+\s*/g)) make(place, "span").textContent = token;
      };
    },
  },
  "text nodes appended": {
    answer(thread) {
      const place = make(thread, "p", "answer");
      return (_, piece) => place.append(piece);
    },
  },
  "one text node that grows": {
    answer(thread) {
      const node = make(thread, "p", "answer").appendChild(document.createTextNode(""));
      return (_, piece) => node.appendData(piece);
    },
  },
  "letters typed in animation frames": {
    answer(thread) {
      const place = make(thread, "p", "answer");
      let goal = "";
      let shown = 0;
      const type = () => {
        shown = Math.min(shown + 4, goal.length);
        place.textContent = goal.slice(0, shown);
        if (shown < goal.length) requestAnimationFrame(type);
      };
      return (text) => {
        const idle = shown === goal.length;
        goal = text;
        if (idle) requestAnimationFrame(type);
      };
    },
  },
  "messages as list items": {
    answer(thread) {
      const list = thread.querySelector("ol") ?? make(thread, "ol");
      const place = make(make(list, "li"), "div", "answer");
      return (text) => {
        place.innerHTML = paragraphs(text);
      };
    },
  },
  "a name before the text": {
    answer(thread) {
      const message = make(thread, "div");
      make(message, "b").textContent = "Assistant";
      const place = make(message, "span", "answer");
      return (text) => {
        place.textContent = text;
      };
    },
  },
  "the whole thread rendered again": {
    answer(thread) {
      const before = thread.innerHTML;
      return (text) => {
        thread.innerHTML = `${before}<div class="answer">${paragraphs(text)}</div>`;
      };
    },
  },
  "an open shadow root": {
    answer(thread) {
      const root = make(thread, "div").attachShadow({ mode: "open" });
      const place = make(root, "p", "answer");
      return (text) => {
        place.textContent = text;
      };
    },
  },

  // Places that hold the same words and are not the answer.
  "the raw stream in a log": {
    answer: plain,
    raw(chunk) {
      document.querySelector("#log").textContent += chunk;
    },
  },
  "the question echoed in three places": {
    asked(question) {
      for (const tag of ["h2", "p", "small"]) make(document.querySelector("nav"), tag).textContent = question;
    },
    answer: plain,
  },
  "a title in the sidebar made of the answer's first words, later": {
    answer(thread) {
      const draw = plain(thread);
      const title = make(document.querySelector("nav"), "a");
      return (text) => {
        draw(text);
        if (text.length > 40) title.textContent = text.slice(0, 24);
      };
    },
  },
};
