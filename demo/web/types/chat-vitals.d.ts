// The part of the SDK's interface that the chat page uses.
declare module "chat-vitals" {
  export function init(options: { endpoint: string; experiments?: Record<string, string[]> }): {
    readonly turn: { setAttribute(key: string, value: string | number | boolean): void } | null;
    variant(name: string): string | undefined;
  };
}
