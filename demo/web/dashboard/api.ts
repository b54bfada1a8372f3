// The server's dashboard interface: its shapes, and one function for each path. Touches the network only.

export type By = "route" | "format" | "model" | "variant";

export interface Filters {
  from?: number;
  route?: string;
  format?: string;
  model?: string;
  variant?: string;
}

export interface Bin {
  from: number;
  to: number;
  count: number;
}

export interface Measure {
  name: string;
  unit: "ms" | "count" | "ratio";
  visible: boolean;
  count: number;
  p50?: number;
  p75?: number;
  p95?: number;
  p99?: number;
  warning?: string;
  bins: Bin[];
}

export interface Rate {
  count: number;
  n: number;
  share: number;
  low: number;
  high: number;
}

export interface Group {
  key: string | null;
  turns: number;
  excluded: { count: number; share: number; hidden: number; clockGap: number };
  measures: Measure[];
  outcomes: Record<string, number>;
  phases: Record<string, number>;
  rates: Record<string, Rate>;
}

export interface Summary {
  truncated: boolean;
  groups: Group[];
}

export interface Segments {
  routes: string[];
  formats: string[];
  models: string[];
  variants: string[];
}

export interface Phase {
  name: string;
  start: number;
  duration: number;
}

export interface ServerTurn {
  requestId: string;
  status: number;
  end: string;
  offset: number;
  phases: Phase[];
}

export interface Turn {
  id: string;
  revision: number;
  startedAt: number;
  trigger: string;
  outcome: string;
  phase?: string | null;
  route: string | null;
  format: string | null;
  model: string | null;
  variants: string[];
  flags: string[];
  duration: number;
  milestones: { name: string; at: number }[];
  actions: { type: string; at: number }[];
  requests: { requestId: string | null; status: number | null; end: string | null }[];
  server: ServerTurn[];
}

interface Wait {
  count: number;
  total: number;
  max: number;
}

export interface Waits {
  silent?: Wait;
  static?: Wait;
  stalls?: Wait;
}

export const segments = () => get<Segments>("/api/dashboard/segments", {});

export const summary = (filters: Filters, by?: By) => get<Summary>("/api/dashboard/summary", { ...filters, by });

export const lastTurns = async (filters: Filters) =>
  (await get<{ turns: Turn[] }>("/api/dashboard/turns", { ...filters, limit: 20 })).turns;

/** Waits of the newest turns by turn id; the list of turns has their milestones only. */
export async function waitsOfTurns(): Promise<Map<string, Waits>> {
  const { turns } = await get<{ turns: { turn: { id: string; waits?: Waits } }[] }>("/vitals/turns", { limit: 200 });
  return new Map(turns.map(({ turn }) => [turn.id, turn.waits ?? {}]));
}

async function get<Body>(path: string, query: Record<string, string | number | undefined>): Promise<Body> {
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  const response = await fetch(`${path}?${new URLSearchParams(given)}`);
  if (!response.ok) throw new Error(`${path} answered with status ${response.status}`);
  return (await response.json()) as Body;
}
