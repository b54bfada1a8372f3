/** Sentry with the integration that follows streams: it reads a clone of the answer. */
import { fetchStreamPerformanceIntegration } from "@sentry/browser";
import { setUpSentry } from "./sentry-setup.js";

setUpSentry([fetchStreamPerformanceIntegration()]);
