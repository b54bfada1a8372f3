/** A small chat by way of `ollama`, as an application's author would write it. May touch: the page of the harness. */
import { Ollama } from "ollama/browser";
import { chat } from "../harness/app";

const client = new Ollama({ host: location.origin });

chat(async ({ question, signal, write }) => {
  const messages = [{ role: "user", content: question }];
  signal.addEventListener("abort", () => client.abort());
  const stream = await client.chat({ model: "llama3", messages, stream: true });
  for await (const { message } of stream) write(message.content);
});
