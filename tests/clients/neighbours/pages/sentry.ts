/** Sentry with its defaults and tracing; envelopes stay in the page. */
import { setUpSentry } from "./sentry-setup.js";

setUpSentry([]);
