/** MSW: its service worker answers some requests and passes the others on. */
import { HttpResponse, http } from "msw";
import { setupWorker } from "msw/browser";
import { pathOf } from "./neighbour.js";

const notes: string[] = [];
const worker = setupWorker(http.get("/mocked", () => HttpResponse.json({ mocked: true })));
worker.events.on("request:start", ({ request }) => void notes.push(`request ${request.method} ${pathOf(request.url)}`));
worker.events.on(
  "response:mocked",
  ({ response, request }) => void notes.push(`mocked ${pathOf(request.url)} ${response.status}`),
);
worker.events.on(
  "response:bypass",
  ({ response, request }) => void notes.push(`bypass ${pathOf(request.url)} ${response.status}`),
);

const canWork = "serviceWorker" in navigator;
window.neighbour = {
  lacks: canWork ? undefined : "no service workers",
  ready: canWork ? worker.start({ quiet: true, onUnhandledRequest: "bypass" }) : undefined,
  notes: () => notes,
};
