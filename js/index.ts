/** Door `chat-vitals`: the taps and the API; the engine arrives as a chunk of its own with the wasm inlined. */
import { createInit } from "./start.js";

export type * from "./types.js";

export const init = /* @__PURE__ */ createInit(() => import("./engine-inline.js"));
