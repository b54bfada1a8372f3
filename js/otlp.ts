/**
 * A batch as OpenTelemetry has it: a span for each turn and each of its requests, log records for what the user saw and did.
 * May touch: nothing. Names are those of the conventions, or `chat_vitals.…`; no measure is made here, times are only
 * moved from offsets to the epoch, and milliseconds become seconds where a duration is an attribute.
 *
 * Ids follow from the turn's, so that what is sent twice is the same span: the receiver keeps the highest revision.
 */
import type { Batch, Milestone, Request, Turn } from "./types.js";

type Plain = string | number | boolean;
type Value = Plain | string[] | undefined;
interface AnyValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string;
  doubleValue?: number;
  arrayValue?: { values: AnyValue[] };
}
interface KeyValue {
  key: string;
  value: AnyValue;
}

/** One span or log record; `key` tells it apart from all others, and `turn` is the id of its turn. */
export interface Item {
  key: string;
  turn: string;
  /** Nothing that comes later changes it. */
  isFinal: boolean;
  data: Record<string, unknown>;
}

/** What OTLP numbers stand for. */
const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;
const INFO = 9;
/** The trace flag of what is recorded. */
const SAMPLED = 1;

/** Milestones that are told as events, by their names there. */
const EVENTS: Partial<Record<Milestone, string>> = {
  firstFeedback: "first_feedback",
  firstVisibleToken: "first_visible_token",
  firstUsefulContent: "first_useful_content",
  finalRender: "final_render",
  taskComplete: "task_complete",
  nextAction: "next_action",
};
/** Actions that are told as events. */
const ACTIONS: Partial<Record<Turn["actions"][number]["type"], string>> = {
  stop: "stop",
  regenerate: "regenerate",
  leave: "abandon",
};

const anyValue = (value: Plain | string[]): AnyValue => {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return { doubleValue: value };
};

/** What is unknown is left out. `counts`: whole numbers, which are text in OTLP. */
const attributes = (values: Record<string, Value>, counts: Record<string, number | undefined> = {}): KeyValue[] => [
  ...Object.entries(values).flatMap(([key, value]) =>
    value === undefined || (Array.isArray(value) && !value.length) ? [] : [{ key, value: anyValue(value) }],
  ),
  ...Object.entries(counts).flatMap(([key, count]) =>
    count === undefined ? [] : [{ key, value: { intValue: `${count}` } }],
  ),
];

/** Milliseconds as text of nanoseconds, which are more than a number can hold. */
const nanos = (ms: number): string => `${Math.round(ms * 1000)}000`;
const seconds = (ms: number | undefined): number | undefined => ms && ms / 1000;
const latest = (...times: (number | undefined)[]): number => Math.max(0, ...times.map((time) => time ?? 0));

/** The page sent these ids along: they are its own. What a response told is the server's. */
const isOwn = ({ traceSource, traceId, spanId }: Request): boolean =>
  traceSource === "propagated" && !!traceId && !!spanId;

/** The trace that a turn is in: that of the first request that took one along, else one of its own. */
const traceOf = ({ id, requests }: Turn): string =>
  requests.find(({ traceSource }) => traceSource && /^(propagated|application)$/.test(traceSource))?.traceId ?? id + id;

/** 64 bits that follow from the turn's id and the place of a request in it. */
const spanIdOf = (turn: string, place: number): string =>
  ((BigInt(`0x${turn}`) ^ (BigInt(place + 1) * 0x9e3779b97f4a7c15n)) & 0xffffffffffffffffn)
    .toString(16)
    .padStart(16, "0");

const shared = ({ session, page }: Batch) => ({ "session.id": session, "chat_vitals.page.route": page.route });

/** When the turn was over as far as anyone knows; what came after it is no part of it. */
const endOf = ({ timings, actions, requests }: Turn): number => {
  const { taskComplete, nextAction, ...own } = timings;
  const ends = (actions ?? []).filter(({ type }) => /^(stop|leave|hide)$/.test(type)).map(({ at }) => at);
  const last = latest(...Object.values(own), ...requests.map(requestEnd));
  return own.finalRender ?? latest(last, ...ends.filter((at) => nextAction === undefined || at <= nextAction));
};

const requestEnd = ({ sent, responseStart, lastChunk }: Request): number => latest(sent, responseStart, lastChunk);

const turnSpan = (batch: Batch, turn: Turn): Record<string, unknown> => {
  const { id, startedAt, timings, waits, outcome, methods } = turn;
  const answered = turn.requests.find(({ responseId }) => responseId);
  const failed = turn.requests.find(({ errorType }) => errorType);
  const errorType = outcome === "failed" ? (failed?.errorType ?? errorOf(turn.requests)) : undefined;
  return {
    traceId: traceOf(turn),
    spanId: id,
    flags: SAMPLED,
    name: "chat_vitals.turn",
    kind: INTERNAL,
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(startedAt + endOf(turn)),
    attributes: attributes(
      {
        ...shared(batch),
        ...Object.fromEntries(
          Object.entries(turn.attributes).map(([key, value]) => [`chat_vitals.attribute.${key}`, value]),
        ),
        "gen_ai.response.id": answered?.responseId,
        "gen_ai.response.model": turn.requests.find(({ model }) => model)?.model,
        "chat_vitals.final": turn.final,
        "chat_vitals.trigger": turn.trigger,
        "chat_vitals.regenerates": turn.regenerates,
        "chat_vitals.outcome": outcome,
        "chat_vitals.phase": turn.phase,
        "chat_vitals.time_to_first_feedback": seconds(timings.firstFeedback),
        "chat_vitals.time_to_first_visible_token": seconds(timings.firstVisibleToken),
        "chat_vitals.time_to_first_useful_content": seconds(timings.firstUsefulContent),
        "chat_vitals.time_to_final_render": seconds(timings.finalRender),
        "chat_vitals.silent_wait.duration": waits && waits.silent.total / 1000,
        "chat_vitals.silent_wait.max": waits && waits.silent.max / 1000,
        "chat_vitals.stall.duration": waits && waits.stalls.total / 1000,
        "chat_vitals.timestamp.method": methods.firstVisibleToken,
        "chat_vitals.hidden.duration": turn.hidden && turn.hidden.total / 1000,
        "chat_vitals.feedback.kind": turn.feedbackKind,
        "chat_vitals.useful.method": turn.usefulMethod,
        "chat_vitals.flags": turn.flags,
        "error.type": errorType,
      },
      {
        "chat_vitals.revision": turn.revision,
        "chat_vitals.silent_wait.count": waits?.silent.count,
        "chat_vitals.stall.count": waits?.stalls.count,
      },
    ),
    status: outcome === "failed" ? { code: ERROR } : {},
  };
};

const errorOf = (requests: Request[]): string | undefined => {
  const status = requests.at(-1)?.status ?? 0;
  return status >= 400 ? `${status}` : "_OTHER";
};

const requestSpan = (batch: Batch, turn: Turn, request: Request, place: number): Record<string, unknown> => {
  const { traceId, spanId, status = 0, end, usage } = request;
  const own = isOwn(request);
  const trace = own ? traceId : traceOf(turn);
  const isError = status >= 400 || end === "error";
  const isWhole = end === "done" || request.lastChunk !== undefined;
  // The server's own span or the application's, or one in another trace than the turn's, cannot be a relative; a link says that they belong together.
  const links = [
    ...(!own && traceId && spanId ? [{ traceId, spanId }] : []),
    ...(trace === traceOf(turn) ? [] : [{ traceId: traceOf(turn), spanId: turn.id }]),
  ];
  return {
    traceId: trace,
    spanId: own ? spanId : spanIdOf(turn.id, place),
    ...(trace === traceOf(turn) && { parentSpanId: turn.id }),
    flags: SAMPLED,
    name: `${request.method} ${request.route}`,
    kind: CLIENT,
    startTimeUnixNano: nanos(turn.startedAt + request.sent),
    endTimeUnixNano: nanos(turn.startedAt + (isWhole ? requestEnd(request) : latest(requestEnd(request), endOf(turn)))),
    attributes: attributes(
      {
        ...shared(batch),
        "http.request.method": request.method,
        "url.template": request.route,
        "gen_ai.response.id": request.responseId,
        "gen_ai.response.model": request.model,
        "gen_ai.response.finish_reasons": request.finishReason ? [request.finishReason] : undefined,
        "chat_vitals.transport": request.transport,
        "chat_vitals.format": request.format,
        "chat_vitals.end": end,
        "chat_vitals.trace.source": request.traceSource,
        "error.type": isError ? (request.errorType ?? (status >= 400 ? `${status}` : "_OTHER")) : undefined,
        ...Object.fromEntries(
          Object.entries(request.requestId ?? {}).map(([name, id]) => [`chat_vitals.request_id.${name}`, id]),
        ),
        ...Object.fromEntries(
          request.serverTiming?.map(({ name, duration }) => [`chat_vitals.server_timing.${name}`, duration / 1000]) ??
            [],
        ),
      },
      {
        "http.response.status_code": request.status,
        "chat_vitals.bytes": request.bytes,
        "gen_ai.usage.input_tokens": usage?.inputTokens,
        "gen_ai.usage.output_tokens": usage?.outputTokens,
        "chat_vitals.reconnects": request.reconnects || undefined,
      },
    ),
    links,
    status: isError ? { code: ERROR } : {},
  };
};

/** The spans of a batch. */
export const spansOf = (batch: Batch): Item[] =>
  batch.turns.flatMap((turn) => {
    const item = (place: number, data: Record<string, unknown>): Item => ({
      // Until it is over each revision is another one.
      key: `${turn.id} ${place}${turn.final ? "" : ` ${turn.revision}`}`,
      turn: turn.id,
      isFinal: turn.final,
      data,
    });
    return [
      item(-1, turnSpan(batch, turn)),
      ...turn.requests.map((request, place) => item(place, requestSpan(batch, turn, request, place))),
    ];
  });

const record = (
  batch: Batch,
  name: string,
  at: number,
  more: Record<string, unknown>,
  said: Record<string, Value>,
) => ({
  timeUnixNano: nanos(at),
  observedTimeUnixNano: nanos(batch.sentAt),
  severityNumber: INFO,
  eventName: name,
  ...more,
  attributes: attributes({ ...shared(batch), ...said }),
});

/** The log records of a batch: what happened in its turns, and which variants were shown. */
export const logsOf = (batch: Batch): Item[] => {
  const shown = batch.variants.map(({ experiment, variant }) => ({
    key: `variant ${experiment}`,
    turn: "",
    isFinal: true,
    // When it was shown is not in the batch; it was by then.
    data: record(
      batch,
      "feature_flag.evaluation",
      batch.sentAt,
      {},
      {
        "feature_flag.key": experiment,
        "feature_flag.result.variant": variant,
      },
    ),
  }));
  const happened = batch.turns.flatMap((turn) => {
    const { id, startedAt, timings, methods, actions } = turn;
    const where = { traceId: traceOf(turn), spanId: id, flags: SAMPLED };
    const event = (name: string, at: number, said: Record<string, Value> = {}): Item => ({
      key: `${id} ${name} ${at}`,
      turn: id,
      isFinal: true,
      data: record(batch, `chat_vitals.${name}`, startedAt + at, where, { "chat_vitals.elapsed": at / 1000, ...said }),
    });
    return [
      ...Object.entries(EVENTS).flatMap(([milestone, name]) => {
        const at = timings[milestone as Milestone];
        const method = (methods as Record<string, string | undefined>)[milestone];
        return at === undefined ? [] : [event(name, at, { "chat_vitals.timestamp.method": method })];
      }),
      ...(actions ?? []).flatMap(({ type, at }) => {
        const name = ACTIONS[type];
        return name ? [event(name, at)] : [];
      }),
    ];
  });
  return [...shown, ...happened];
};

/** What OpenTelemetry wants to know of the page itself; the browser tells as much with each request. */
export interface Browser {
  brands?: { brand: string; version: string }[];
  platform?: string;
  mobile?: boolean;
}

/** A request's body, with some of the items of `batch`. What the application declares for the page describes its resource. */
export const bodyOf = (kind: "traces" | "logs", batch: Batch, items: Item[], browser: Browser = {}): string => {
  const resource = {
    attributes: attributes({
      "service.name": "unknown_service",
      ...batch.attributes,
      "telemetry.sdk.name": "chat-vitals",
      "telemetry.sdk.language": "webjs",
      "telemetry.sdk.version": batch.sdk.version,
      "browser.brands": browser.brands?.map(({ brand, version }) => `${brand} ${version}`),
      "browser.platform": browser.platform || undefined,
      "browser.mobile": browser.mobile,
      "chat_vitals.mode": batch.sdk.mode,
      "chat_vitals.engine": batch.page.engine,
      "chat_vitals.page.id": batch.page.id,
    }),
  };
  const scope = { name: "chat-vitals", version: batch.sdk.version };
  const data = items.map((item) => item.data);
  return JSON.stringify(
    kind === "traces"
      ? { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: data }] }] }
      : { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: data }] }] },
  );
};
