/** A small chat by way of `event-source`, as an application's author would write it. May touch: the page of the harness. */
import { chat } from "../harness/app";

chat(
  ({ question, signal, write }) =>
    new Promise<void>((resolve, reject) => {
      const source = new EventSource(`/api/chat?q=${encodeURIComponent(question)}`);
      const end = (settle: () => void) => {
        source.close();
        settle();
      };
      signal.addEventListener("abort", () => end(resolve));
      source.onerror = () => end(() => reject(new Error("the connection was lost")));
      source.onmessage = ({ data }) => {
        if (data === "[DONE]") end(resolve);
        else write(JSON.parse(data).choices[0]?.delta.content);
      };
    }),
);
