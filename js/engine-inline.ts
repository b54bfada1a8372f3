/** Engine chunk with the wasm inlined: works with every bundler and host, needs no `connect-src`. */
import { bootWith } from "./engine-boot.js";
import { bytes } from "./wasm/bytes.js";

export const boot = bootWith(() => bytes());
