/**
 * What a page can do with `fetch`, `XMLHttpRequest` and `EventSource`. Each runs in an untouched page and in a tapped one, and what it
 * answers with must be the same. They run in the browser; `key` names the stream at the server.
 */
import { bodies } from "./bodies.mjs";
import { looks } from "./looks.mjs";
import { platform } from "./platform.mjs";
import { requests } from "./requests.mjs";
import { xhr } from "./xhr.mjs";

export const scenarios = { ...requests, ...bodies, ...platform, ...xhr, ...looks };
