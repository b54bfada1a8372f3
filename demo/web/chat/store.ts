// The conversations of this tab. Kept in `sessionStorage` so that a reload or the back button finds them again.

export interface Message {
  role: "user" | "assistant";
  text: string;
  reasoning: string;
  sources: { url: string; title: string }[];
  state: "streaming" | "done" | "stopped" | "failed";
  error?: string;
}

export interface Conversation {
  id: string;
  title: string;
  messages: Message[];
}

const key = "conversations";
const limit = 30;

export class Store {
  readonly list: Conversation[] = load();

  find(id: string): Conversation | undefined {
    return this.list.find((conversation) => conversation.id === id);
  }

  create(title: string): Conversation {
    const conversation = { id: newId(), title: title.slice(0, 60), messages: [] };
    this.list.unshift(conversation);
    this.list.splice(limit);
    return conversation;
  }

  save(): void {
    try {
      sessionStorage.setItem(key, JSON.stringify(this.list));
    } catch {
      // Storage may be full or forbidden; the conversations then last as long as the page.
    }
  }
}

export function userMessage(text: string): Message {
  return { role: "user", text, reasoning: "", sources: [], state: "done" };
}

export function assistantMessage(): Message {
  return { role: "assistant", text: "", reasoning: "", sources: [], state: "streaming" };
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function load(): Conversation[] {
  try {
    const list = JSON.parse(sessionStorage.getItem(key) ?? "[]") as Conversation[];
    // A page that was left while it streamed has no stream to come back to.
    for (const message of list.flatMap((conversation) => conversation.messages)) {
      if (message.state === "streaming") message.state = "stopped";
    }
    return list;
  } catch {
    return [];
  }
}
