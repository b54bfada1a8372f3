/** A small chat by way of `axios-xhr`, as an application's author would write it. May touch: the page of the harness. */
import axios from "axios";
import { createParser } from "eventsource-parser";
import { chat } from "../harness/app";

chat(async ({ question, signal, write }) => {
  let seen = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (data !== "[DONE]") write(JSON.parse(data).choices[0]?.delta.content);
    },
  });
  await axios.post(
    "/api/chat",
    { question, stream: true },
    {
      adapter: "xhr",
      responseType: "text",
      signal,
      onDownloadProgress({ event }) {
        const { responseText } = event.target as XMLHttpRequest;
        parser.feed(responseText.slice(seen));
        seen = responseText.length;
      },
    },
  );
});
