/** Engine chunk that fetches the wasm from beside itself, past the tap. */
import { bootWith } from "./engine-boot.js";

export const boot = bootWith(({ wasmUrl }, nativeFetch) =>
  // One literal `new URL`: bundlers find the file by it.
  nativeFetch(wasmUrl ?? new URL("./chat-vitals.wasm", import.meta.url)),
);
