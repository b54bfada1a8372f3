/** Door `chat-vitals/slim`: for libraries; the application brings the wasm in the option `wasm`. */
import { createInit } from "./start.js";

export type * from "./types.js";

export const init = /* @__PURE__ */ createInit(() => import("./engine-slim.js"));
