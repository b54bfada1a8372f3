/** A small chat by way of `axios-fetch`, as an application's author would write it. May touch: the page of the harness. */
import axios from "axios";
import { createParser } from "eventsource-parser";
import { chat } from "../harness/app";

chat(async ({ question, signal, write }) => {
  const parser = createParser({
    onEvent({ data }) {
      if (data !== "[DONE]") write(JSON.parse(data).choices[0]?.delta.content);
    },
  });
  const options = { adapter: "fetch", responseType: "stream", signal } as const;
  const { data } = await axios.post<ReadableStream<Uint8Array>>("/api/chat", { question, stream: true }, options);
  const reader = data.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
});
