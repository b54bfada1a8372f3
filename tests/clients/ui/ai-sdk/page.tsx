/** `useChat` as its guide shows it, with the transport that it has by default. */
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const transport = new DefaultChatTransport({ api: "/api/chat" });

const App = () => {
  const [input, setInput] = useState("");
  const { messages, sendMessage, status, stop, regenerate, error } = useChat({
    transport,
    onError: ({ name, message }) => window.errors.push({ name, message }),
    onFinish: () => void window.ended++,
  });
  const running = status === "submitted" || status === "streaming";
  return (
    <>
      <main>
        {messages.map(({ id, role, parts }) => (
          <article key={id} data-role={role}>
            {parts.map((part, index) => part.type === "text" && <p key={`${id}-${index}`}>{part.text}</p>)}
          </article>
        ))}
      </main>
      {error && <p role="alert">Something went wrong.</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sendMessage({ text: input });
          setInput("");
        }}
      >
        <input id="question" value={input} onChange={({ target }) => setInput(target.value)} aria-label="Message" />
        <button id="send" type="submit" disabled={running}>
          Send
        </button>
        <button id="stop" type="button" onClick={stop} disabled={!running}>
          Stop
        </button>
        <button id="regenerate" type="button" onClick={() => regenerate()} disabled={running}>
          Regenerate
        </button>
      </form>
    </>
  );
};

createRoot(document.getElementById("root") as HTMLElement).render(<App />);
