// Bytes to records: how a body is cut, by the format's framing. Streaming, so a record may come in many chunks.

import { createParser } from "eventsource-parser";
import type { Format, StreamRecord } from "./format";

export interface Framer {
  push(bytes: Uint8Array): StreamRecord[];
  /** What is left when the body ends without closing its last record. */
  end(): StreamRecord[];
}

export function framer(framing: Format["framing"]): Framer {
  return { sse: sseFramer, lines: lineFramer, plain: plainFramer }[framing]();
}

function sseFramer(): Framer {
  const decoder = new TextDecoder();
  let records: StreamRecord[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => records.push({ event, data }) });
  const drain = (text: string) => {
    parser.feed(text);
    const ready = records;
    records = [];
    return ready;
  };
  return {
    push: (bytes) => drain(decoder.decode(bytes, { stream: true })),
    end: () => drain("\n\n"),
  };
}

function lineFramer(): Framer {
  const decoder = new TextDecoder();
  let rest = "";
  return {
    push(bytes) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? "";
      return lines.filter((line) => line.trim()).map((data) => ({ data }));
    },
    end: () => (rest.trim() ? [{ data: rest }] : []),
  };
}

function plainFramer(): Framer {
  const decoder = new TextDecoder();
  return {
    push: (bytes) => [{ data: decoder.decode(bytes, { stream: true }) }],
    end: () => [{ data: decoder.decode() }],
  };
}
