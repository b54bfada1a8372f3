/** A small chat by way of `ag-ui`, as an application's author would write it. May touch: the page of the harness. */
import { HttpAgent } from "@ag-ui/client";
import { chat } from "../harness/app";

const agent = new HttpAgent({ url: "/agent", threadId: "thread" });
let count = 0;

chat(async ({ question, signal, write }) => {
  agent.setMessages([{ id: `question-${++count}`, role: "user", content: question }]);
  signal.addEventListener("abort", () => agent.abortRun());
  await agent.runAgent(
    { runId: `run-${count}` },
    {
      onTextMessageContentEvent: ({ event }) => write(event.delta),
    },
  );
});
