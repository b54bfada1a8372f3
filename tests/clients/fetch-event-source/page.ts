/** A small chat by way of `fetch-event-source`, as an application's author would write it. May touch: the page of the harness. */
import { fetchEventSource } from "@microsoft/fetch-event-source";
import { chat } from "../harness/app";

chat(async ({ question, signal, write }) => {
  await fetchEventSource("/api/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ question, stream: true }),
    signal,
    onmessage({ data }) {
      if (data !== "[DONE]") write(JSON.parse(data).choices[0]?.delta.content);
    },
    // Without it the client asks again for ever.
    onerror(error) {
      throw error;
    },
  });
});
