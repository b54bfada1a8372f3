/** Engine chunk with the wasm inlined: works with every bundler and host, needs no `connect-src`. */
import type { Boot } from "./engine.js";
import { start } from "./engine-boot.js";
import { bytes } from "./wasm/bytes.js";

export const boot: Boot = () => start(bytes());
