/** A small chat by way of `anthropic`, as an application's author would write it. May touch: the page of the harness. */
import Anthropic from "@anthropic-ai/sdk";
import { chat } from "../harness/app";

const client = new Anthropic({ apiKey: "key", baseURL: location.origin, dangerouslyAllowBrowser: true });

chat(async ({ question, signal, write }) => {
  const messages = [{ role: "user" as const, content: question }];
  const stream = client.messages.stream({ model: "claude-3-opus-20240229", max_tokens: 256, messages });
  signal.addEventListener("abort", () => stream.abort());
  stream.on("text", write);
  await stream.finalMessage();
});
