/** A small chat by way of `google-genai`, as an application's author would write it. May touch: the page of the harness. */
import { GoogleGenAI } from "@google/genai/web";
import { chat } from "../harness/app";

const client = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: location.origin } });

chat(async ({ question, signal, write }) => {
  const config = { abortSignal: signal };
  const stream = await client.models.generateContentStream({ model: "gemini-2.5-flash", contents: question, config });
  for await (const chunk of stream) write(chunk.text);
});
