// What the user, a test or the conversation driver can choose. The address holds it, so a link reproduces a page:
//   format    one of `formatNames`
//   progress  none | spinner | steps | skeleton; absent: the experiment decides
//   transport fetch | eventsource
//   scenario  JSON, handed to the server as it is
//   buffer    milliseconds that the page holds text back before drawing it (a client-side smoothing buffer)
//   truth=1   the page records its own ground truth, see truth.ts
//   otlp=1    batches go to the server's OpenTelemetry collector, and requests take their trace along
//   roles=1   the page names the roles of its elements with `data-chat-vitals`; otherwise the SDK has to find them

import { formatNames, formats, type FormatName } from "./formats";

export const indicators = { none: "None", spinner: "Spinner", steps: "Step names", skeleton: "Skeleton" } as const;
export type IndicatorName = keyof typeof indicators;

export interface Settings {
  format: FormatName;
  progress: IndicatorName | "experiment";
  transport: "fetch" | "eventsource";
  scenario: string | null;
  buffer: number;
  truth: boolean;
  roles: boolean;
  otlp: boolean;
}

export function readSettings(): Settings {
  const query = new URLSearchParams(location.search);
  const format = query.get("format") ?? "";
  const progress = query.get("progress") ?? "";
  return {
    format: format in formatNames ? (format as FormatName) : "openai-chat",
    progress: progress in indicators ? (progress as IndicatorName) : "experiment",
    transport: query.get("transport") === "eventsource" ? "eventsource" : "fetch",
    scenario: query.get("scenario"),
    buffer: Math.max(0, Number(query.get("buffer")) || 0),
    truth: query.get("truth") === "1",
    roles: query.get("roles") === "1",
    otlp: query.get("otlp") === "1",
  };
}

/** An `EventSource` reads server-sent events only; for the other framings the page uses `fetch` whatever was chosen. */
export function transportOf({ transport, format }: Settings): Settings["transport"] {
  return formats[format].framing === "sse" ? transport : "fetch";
}

/** Connects the three selects with the address. */
export function bindSettings(form: HTMLFormElement): void {
  const select = (name: string) => form.elements.namedItem(name) as HTMLSelectElement;
  fillOptions(select("format"), formatNames);
  fillOptions(select("progress"), { experiment: "By experiment", ...indicators });
  const show = () => {
    const settings = readSettings();
    select("format").value = settings.format;
    select("progress").value = settings.progress;
    select("transport").value = transportOf(settings);
    select("transport").disabled = formats[settings.format].framing !== "sse";
  };
  form.addEventListener("change", ({ target }) => {
    const { name, value } = target as HTMLSelectElement;
    const url = new URL(location.href);
    url.searchParams.set(name, value);
    if (name === "progress" && value === "experiment") url.searchParams.delete(name);
    history.replaceState(history.state, "", url);
    show();
  });
  addEventListener("popstate", show);
  show();
}

function fillOptions(select: HTMLSelectElement, options: Record<string, string>): void {
  for (const [value, label] of Object.entries(options)) select.add(new Option(label, value));
}
