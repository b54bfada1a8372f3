/** PostHog with session recording that captures bodies; its own requests go to the test server. */
import "posthog-js/dist/posthog-recorder.js";
import "posthog-js/dist/tracing-headers.js";
import posthog from "posthog-js";
import { pathOf } from "./neighbour.js";

const notes: string[] = [];

/** What its server would say. */
const config = {
  supportedCompression: [],
  sessionRecording: {
    endpoint: "/s/",
    networkPayloadCapture: { recordBody: true, recordHeaders: true, capturePerformance: { network_timing: true } },
  },
};
Object.assign(window, { _POSTHOG_REMOTE_CONFIG: { phc_test: { config, siteApps: [] } } });

interface Recorded {
  type: number;
  data: {
    plugin?: string;
    payload?: {
      requests: { name: string; method?: string; status?: number; initiatorType?: string; responseBody?: string }[];
    };
  };
}

posthog.init("phc_test", {
  api_host: `${location.origin}/neighbour/posthog`,
  autocapture: false,
  capture_pageview: false,
  advanced_disable_flags: true,
  opt_out_useragent_filter: true,
  persistence: "memory",
  tracing_headers: [location.hostname],
  session_recording: { recordBody: true, recordHeaders: true, compress_events: false },
  loaded(instance) {
    // Its own switch for tests: on a local host it looks at no request.
    Object.assign(instance.sessionRecording ?? {}, { _forceAllowLocalhostNetworkCapture: true });
  },
  before_send(event) {
    for (const { type, data } of (event?.properties["$snapshot_data"] ?? []) as Recorded[]) {
      if (type !== 6 || data.plugin !== "rrweb/network@1") continue;
      for (const { name, method, status, initiatorType, responseBody } of data.payload?.requests ?? [])
        if (initiatorType === "fetch") notes.push(`${method} ${pathOf(name)} ${status} ${typeof responseBody}`);
    }
    return event;
  },
});

// A recording that nobody has touched would be kept back.
posthog.startSessionRecording(true);

const isRecording = async () => {
  while (!posthog.sessionRecording?.started) await new Promise((resolve) => setTimeout(resolve, 10));
};

window.neighbour = { ready: isRecording(), notes: () => notes, delay: 3000 };
