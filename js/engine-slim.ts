/** Engine chunk for wasm that the application brings. */
import type { Boot } from "./engine.js";
import { start } from "./engine-boot.js";

export const boot: Boot = ({ wasm }, nativeFetch) => {
  if (!wasm) throw new Error("chat-vitals/slim needs the option `wasm`");
  return start(typeof wasm === "string" || wasm instanceof URL ? nativeFetch(wasm) : wasm);
};
