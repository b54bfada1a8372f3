/** CopilotKit's chat as its guide shows it, with its styles. The inspector, which it adds on a developer's machine, is not the users'. */
import { CopilotKit } from "@copilotkit/react-core";
import { CopilotChat } from "@copilotkit/react-ui";
import { createRoot } from "react-dom/client";
import "@copilotkit/react-ui/styles.css";

createRoot(document.getElementById("root") as HTMLElement).render(
  <CopilotKit runtimeUrl="/api/copilotkit" threadId="thread" enableInspector={false}>
    <CopilotChat />
  </CopilotKit>,
);
