/**
 * Door `chat-vitals/tap`: the taps alone. `install()` times every request from then on; `init` finds them later.
 * May touch: what the taps touch. Does nothing where there is no page.
 */
import { tapOf } from "./tap.js";

export const install = (): void => tapOf().start();
