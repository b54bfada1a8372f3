/** What the three engine chunks share: starts the wasm and answers with its class. */
import type { EngineClass } from "./engine.js";
import * as glue from "./wasm/chat_vitals.js";

export const start = async (wasm: glue.InitInput | Promise<glue.InitInput>): Promise<EngineClass> => {
  await glue.default({ module_or_path: wasm });
  // The generated types know the numbers and strings of the border, not what they mean.
  return (glue as unknown as { Engine: EngineClass }).Engine;
};
