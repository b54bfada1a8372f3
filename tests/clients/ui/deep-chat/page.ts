/** deep-chat over an endpoint that speaks as OpenAI's does. */
import "deep-chat";
import type { DeepChat } from "deep-chat";

interface Messages {
  messages: { role: string; text: string }[];
}
interface Chunk {
  choices?: { delta: { content?: string } }[];
  error?: { message: string };
}

const chat = document.createElement("deep-chat") as DeepChat;

chat.connect = { url: "/v1/chat/completions", method: "POST", stream: true };
chat.requestInterceptor = (details) => {
  const { messages } = details.body as Messages;
  const asked = messages.map(({ role, text }) => ({ role: role === "user" ? "user" : "assistant", content: text }));
  return { ...details, body: { model: "gpt-3.5-turbo", stream: true, messages: asked } };
};
chat.responseInterceptor = ({ choices, error }: Chunk) =>
  error ? { error: error.message } : { text: choices?.[0]?.delta.content ?? "" };
chat.onMessage = ({ message }) => {
  if (message.role === "ai") window.ended++;
};
chat.onError = (message) => {
  window.errors.push({ name: "deep-chat", message: String(message) });
  window.ended++;
};

document.getElementById("root")?.append(chat);
