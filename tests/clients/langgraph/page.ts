/** A small chat by way of `langgraph`, as an application's author would write it. May touch: the page of the harness. */
import { Client } from "@langchain/langgraph-sdk";
import { chat } from "../harness/app";

const client = new Client({ apiUrl: location.origin, apiKey: null, callerOptions: { maxRetries: 0 } });

chat(async ({ question, signal, write }) => {
  const input = { messages: [{ role: "human", content: question }] };
  const stream = client.runs.stream(null, "agent", { input, streamMode: "messages-tuple", signal });
  for await (const { event, data } of stream) {
    if (event === "messages") write((data as unknown as [{ content: string }])[0].content);
    if (event === "error") throw new Error((data as unknown as { message: string }).message);
  }
});
