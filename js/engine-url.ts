/** Engine chunk that fetches the wasm from beside itself, past the tap. */
import type { Boot } from "./engine.js";
import { start } from "./engine-boot.js";

export const boot: Boot = ({ wasmUrl }, nativeFetch) =>
  // One literal `new URL`: bundlers find the file by it.
  start(nativeFetch(wasmUrl ?? new URL("./chat-vitals.wasm", import.meta.url)));
