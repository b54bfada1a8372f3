/** Engine chunk for wasm that the application brings. */
import { bootWith } from "./engine-boot.js";

export const boot = bootWith(({ wasm }, nativeFetch) => {
  if (!wasm) throw new Error("chat-vitals/slim needs the option `wasm`");
  return typeof wasm === "string" || wasm instanceof URL ? nativeFetch(wasm) : wasm;
});
