// The page finds the SDK at run time, through its import map; its types come from the SDK's source.
declare module "chat-vitals" {
  import type { Options, Vitals } from "../../../js/types";
  export function init(options?: Options): Vitals;
}
