/** A small chat as an author would write it; each client's page fills in how an answer is got. May touch: its own page. */

declare global {
  interface Window {
    errors: { name: string; message: string }[];
    ended: number;
  }
}

export interface Ask {
  question: string;
  /** Aborted by the stop button. */
  signal: AbortSignal;
  /** Adds text to the answer on the page. */
  write(text: string | null | undefined): void;
}

const MARKUP = `
  <main id="messages"></main>
  <form id="form">
    <input id="question" aria-label="Your question" autocomplete="off">
    <button id="send" type="submit">Send</button>
    <button id="stop" type="button" disabled>Stop generating</button>
    <button id="regenerate" type="button" disabled>Regenerate</button>
  </form>`;

const add = (name: string, text: string) => {
  const element = document.createElement("p");
  element.className = name;
  element.textContent = text;
  document.getElementById("messages")?.append(element);
  return element;
};

export const chat = (answer: (ask: Ask) => Promise<unknown>) => {
  const root = document.getElementById("root") as HTMLElement;
  root.innerHTML = MARKUP;
  const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
  const input = find<HTMLInputElement>("question");
  const [send, stop, regenerate] = ["send", "stop", "regenerate"].map((id) => find<HTMLButtonElement>(id));
  let question = "";
  let place: HTMLElement | undefined;
  let controller: AbortController;

  const running = (is: boolean) => {
    stop.disabled = !is;
    send.disabled = regenerate.disabled = is;
  };

  const run = async () => {
    controller = new AbortController();
    const { signal } = controller;
    const element = add("answer", "");
    place = element;
    running(true);
    const write = (text: string | null | undefined) => element.append(text ?? "");
    try {
      await answer({ question, signal, write });
    } catch (error) {
      const { name, message } = error as Error;
      window.errors.push({ name, message });
      if (!signal.aborted) add("error", "Something went wrong.").setAttribute("role", "alert");
    }
    running(false);
    window.ended++;
  };

  find("form").addEventListener("submit", (event) => {
    event.preventDefault();
    question = input.value;
    input.value = "";
    add("user", question);
    run();
  });
  stop.addEventListener("click", () => controller.abort());
  regenerate.addEventListener("click", () => {
    place?.remove();
    run();
  });
};
