/** A small chat by way of `eventsource-parser`, as an application's author would write it. May touch: the page of the harness. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { chat } from "../harness/app";

chat(async ({ question, signal, write }) => {
  const body = JSON.stringify({ question, stream: true });
  const response = await fetch("/api/chat", { method: "POST", body, signal });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (value.data !== "[DONE]") write(JSON.parse(value.data).choices[0]?.delta.content);
  }
});
