/** Datadog RUM; its own requests go to the test server. */
import { datadogRum } from "@datadog/browser-rum";
import { pathOf } from "./neighbour.js";

const notes: string[] = [];

datadogRum.init({
  applicationId: "application",
  clientToken: "token",
  service: "application",
  proxy: `${location.origin}/neighbour/datadog`,
  sessionSampleRate: 100,
  sessionReplaySampleRate: 0,
  trackResources: true,
  trackUserInteractions: false,
  allowedTracingUrls: [location.origin],
  beforeSend(event) {
    if (event.type === "resource" && event.resource.type === "fetch") {
      const { method, url, status_code } = event.resource;
      notes.push(`resource ${method} ${pathOf(url)} ${status_code}`);
    }
    return true;
  },
});

const hasSession = async () => {
  while (!datadogRum.getInternalContext()?.session_id) await new Promise((resolve) => setTimeout(resolve, 10));
};

window.neighbour = { ready: hasSession(), notes: () => notes };
