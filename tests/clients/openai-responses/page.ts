/** A small chat by way of `openai-responses`, as an application's author would write it. May touch: the page of the harness. */
import OpenAI from "openai";
import { chat } from "../harness/app";

const client = new OpenAI({
  apiKey: "key",
  baseURL: `${location.origin}/v1`,
  dangerouslyAllowBrowser: true,
});

chat(async ({ question, signal, write }) => {
  const stream = await client.responses.create({ model: "gpt-4o-mini", input: question, stream: true }, { signal });
  for await (const event of stream) if (event.type === "response.output_text.delta") write(event.delta);
});
