/** Starts Sentry and notes its breadcrumbs and spans. May touch: what Sentry touches. */
import * as Sentry from "@sentry/browser";
import { pathOf } from "./neighbour.js";

type Integration = ReturnType<typeof Sentry.browserTracingIntegration>;

export const setUpSentry = (more: unknown[]) => {
  const notes: string[] = [];
  const tracing = Sentry.browserTracingIntegration({ instrumentPageLoad: false, instrumentNavigation: false });
  const client = Sentry.init({
    dsn: "https://key@sentry.invalid/1",
    tracesSampleRate: 1,
    integrations: [tracing, ...(more as Integration[])],
    // Envelopes are dropped: what was noted is what counts, and the page's traffic stays that of the application.
    transport: () => ({ send: () => Promise.resolve({}), flush: () => Promise.resolve(true) }),
    beforeBreadcrumb(crumb) {
      const { method, url, status_code } = crumb.data ?? {};
      if (crumb.category === "fetch") notes.push(`crumb ${crumb.level} ${method} ${pathOf(url)} ${status_code}`);
      return crumb;
    },
  });
  client?.on("spanEnd", (span) => {
    const {
      name,
      status,
      attributes = {},
    } = Sentry.spanToJSON(span) as { name?: string; status?: string; attributes?: Record<string, unknown> };
    if (attributes["sentry.op"] === "http.client")
      notes.push(`span ${name} ${pathOf(`${attributes["url.full"]}`)} ${status}`);
  });
  window.neighbour = {
    notes: () => notes,
    around: (run) => Sentry.startSpan({ name: "visit" }, run),
  };
};
