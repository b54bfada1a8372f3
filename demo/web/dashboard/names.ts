// How the dashboard calls what the server counts, and what each measure means in one line.

export const measureNames: Record<string, [name: string, meaning: string]> = {
  firstFeedback: ["First feedback", "until anything on the screen says that it is working"],
  firstReasoning: ["First reasoning", "until reasoning is visible"],
  firstVisibleToken: ["First visible token", "until a character of the answer is visible"],
  firstUsefulContent: ["First useful content", "until what is visible helps"],
  finalRender: ["Final render", "until the last change of the answer is visible"],
  taskComplete: ["Task complete", "until the user has what they came for"],
  nextAction: ["Next action", "until the user does the next thing"],
  silentTotal: ["Silent waits, total", "gaps over 1 s without informative feedback"],
  silentMax: ["Longest silent wait", "the longest gap without informative feedback"],
  staticTotal: ["Static waits, total", "gaps over 1 s without any change, indicators included"],
  staticMax: ["Longest static wait", "the longest gap without any change"],
  stallTotal: ["Stalls, total", "gaps over 1 s inside the visible answer"],
  stallMax: ["Longest stall", "the longest gap inside the visible answer"],
  stallCount: ["Stalls per turn", "how often the visible answer stood still for over 1 s"],
  updateGapP95: ["Gap between updates, p95", "of each turn: how unevenly the answer grows"],
  fluidity: ["Fluidity", "share of updates in time for the reader; 1 is best"],
  renderLagFirst: ["Render lag, first", "from the first text chunk to its frame"],
  renderLagP95: ["Render lag, p95", "from chunk to frame, of each turn"],
  requestSent: ["Request sent", "from submit to the request"],
  requestToResponse: ["Request to response", "from the request to its headers"],
  responseToFirstChunk: ["Response to first chunk", "from the headers to the first bytes of the body"],
  lastChunk: ["Last chunk", "from submit to the last bytes of the body"],
};

export const outcomeNames: Record<string, string> = {
  completed: "Completed",
  stopped: "Stopped",
  failed: "Failed",
  abandoned: "Abandoned",
  superseded: "Superseded",
  open: "Still open",
};

export const phaseNames: Record<string, string> = {
  beforeFeedback: "Before any feedback",
  beforeToken: "Before the first token",
  beforeUseful: "Before useful content",
  streaming: "While it streamed",
};

export const nameOf = (measure: string): string => measureNames[measure]?.[0] ?? measure;
export const meaningOf = (measure: string): string => measureNames[measure]?.[1] ?? "";
