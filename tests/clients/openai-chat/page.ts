/** A small chat by way of `openai-chat`, as an application's author would write it. May touch: the page of the harness. */
import OpenAI from "openai";
import { chat } from "../harness/app";

const client = new OpenAI({
  apiKey: "key",
  baseURL: `${location.origin}/v1`,
  dangerouslyAllowBrowser: true,
});

chat(async ({ question, signal, write }) => {
  const messages = [{ role: "user" as const, content: question }];
  const stream = await client.chat.completions.create({ model: "gpt-3.5-turbo", messages, stream: true }, { signal });
  for await (const { choices } of stream) write(choices[0]?.delta.content);
});
