// The formats that the page can ask the server for, by the names that the server uses.

import { aiSdkUi } from "./ai-sdk-ui";
import { anthropicMessages } from "./anthropic-messages";
import type { Format } from "./format";
import { ollama } from "./ollama";
import { openaiChat } from "./openai-chat";
import { openaiResponses } from "./openai-responses";
import { plainText } from "./plain-text";

export type { Format, Piece } from "./format";

export const formats: Record<FormatName, Format> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "ai-sdk-ui": aiSdkUi,
  ollama,
  "plain-text": plainText,
};

export const formatNames = {
  "openai-chat": "OpenAI chat",
  "openai-responses": "OpenAI Responses",
  "anthropic-messages": "Anthropic Messages",
  "ai-sdk-ui": "AI SDK UI stream",
  ollama: "Ollama (NDJSON)",
  "plain-text": "Plain text",
} as const;

export type FormatName = keyof typeof formatNames;
