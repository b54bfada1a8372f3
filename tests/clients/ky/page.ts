/** A small chat by way of `ky`, as an application's author would write it. May touch: the page of the harness. */
import ky from "ky";
import { chat } from "../harness/app";

chat(async ({ question, signal, write }) => {
  const response = await ky.post("/api/chat", { json: { question }, signal, retry: 0, timeout: false });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    write(decoder.decode(value, { stream: true }));
  }
});
