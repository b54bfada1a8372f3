/** Door `chat-vitals/url`: the same API; the wasm is a file of its own, cached and compiled as it arrives. */
import { createInit } from "./start.js";

export type * from "./types.js";

export const init = /* @__PURE__ */ createInit(() => import("./engine-url.js"));
