/** What each neighbour's page tells the test. Loaded as a classic script, before or after the SDK. May touch: `window`. */

/** What a neighbour noted of one request, as `POST /chat 200`. */
export type Note = string;

export interface Neighbour {
  /** What it needs and the browser has not. */
  lacks?: string | undefined;
  /** When it has started. */
  ready?: Promise<unknown>;
  /** Runs the application as the neighbour wants it to be run: in its zone, below its span. */
  around?<T>(run: () => T): T;
  /** All that it noted so far. */
  notes(): Note[];
  /** It notes nothing of `fetch`. */
  isBlind?: boolean;
  /** How long it may keep to itself what it noted. */
  delay?: number;
  /** Where the code runs that waits for an answer, if the neighbour keeps track of that. */
  here?(): string;
  /** Ends its work, in its own way. */
  off?(): void;
}

declare global {
  interface Window {
    neighbour: Neighbour;
  }
}

export const pathOf = (url: string): string => new URL(url, location.href).pathname;
