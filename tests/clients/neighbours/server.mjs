/**
 * A server for one visit: the page with its scripts in the order wanted, answers to the application, and a place for what
 * the neighbour and the SDK send home. A visit has an origin of its own, so that no worker or cookie outlives it.
 * May touch: a local port, the built package and the neighbours' packages, for reading.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { recorded } from "../harness/recording.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const DIST = process.env.SDK ?? at("../../../dist/");
const FILES = {
  "/witness.js": at("../harness/witness.js"),
  "/sdk.js": `${DIST}/chat-vitals.iife.js`,
  "/mockServiceWorker.js": at("../node_modules/msw/lib/mockServiceWorker.js"),
};

/** How long a stream goes on that nobody breaks off. */
const LONG = 1000;
const GAP = 15;
const answer = recorded("openai-chat/text-basic.sse");

const html = (scripts) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>t</title>
<link rel="icon" href="data:,">
${scripts.map((name) => (name.startsWith("/") ? `<script src="${name}"></script>` : `<script>${name}</script>`)).join("\n")}
<body><script src="/application.js"></script></body>
</html>`;

/** Ids that are drawn anew for each request. */
const drawn = (value) => value.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{16,32}\b|\b\d{13,}\b|0\.\d{6,}/g, "…");

/** What the application asked for. */
const note = async (request) => {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  // A session's cookie is set whenever its owner comes to it.
  const kept = names.filter((name) => !/^cookie$/i.test(name));
  const headers = kept.map((name) => `${name}: ${drawn(request.headers[name.toLowerCase()])}`);
  return { method: request.method, url: request.url, headers, body };
};

/**
 * The whole answer; in its middle, if it is to be broken off, so many empty comments that nobody waits for their end.
 * With `until` they begin to count when that has come.
 */
const play = async (response, isLong, until) => {
  // A connection that is to be used again may be read on for a while after a cancel.
  response.writeHead(200, { ...answer.headers, connection: "close", "cache-control": "no-store" });
  const half = answer.pieces.length >> 1;
  let last = until ? Number.POSITIVE_INFINITY : Date.now() + LONG;
  until?.then(() => {
    last = Date.now() + LONG;
  });
  for (const [index, piece] of answer.pieces.entries()) {
    response.write(piece);
    await sleep(GAP);
    while (isLong && index === half && Date.now() < last && !response.destroyed) {
      response.write(": still here\n\n");
      await sleep(GAP);
    }
  }
  response.end();
};

const json = (response, value, status = 200) => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(value));
};

/** The application's own paths; `true` for streams that are to be broken off. */
const STREAMS = {
  "/chat": false,
  "/cloned": false,
  "/aborted": true,
  "/given-up": true,
  "/aborted-request": true,
  "/cancelled": true,
  "/stopped": true,
};

const answers = (path, response, stopped) => {
  if (path in STREAMS) return play(response, STREAMS[path], path === "/stopped" ? stopped : undefined);
  if (path === "/refused") return json(response, { error: "slow down" }, 429);
  return json(response, { path });
};

/** `scripts` of the page: paths, or text; `bundles`: what is served under some of these paths. */
export const serveVisit = async (scripts, bundles) => {
  /** Requests of the application, in their order; but for what is aborted at once and may never come. */
  const requests = [];
  /** Batches of the SDK, and the headers that they came with. */
  const batches = [];
  /** Answers that are still being given. */
  const open = new Set();
  let release;
  const stopped = new Promise((resolve) => {
    release = resolve;
  });

  const handle = async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/") return response.setHeader("content-type", "text/html").end(html(scripts));
    const file = bundles[pathname] ?? (FILES[pathname] && (await readFile(FILES[pathname])));
    if (file) return response.setHeader("content-type", "text/javascript").end(file);
    const entry = await note(request);
    if (pathname.endsWith(".js")) return response.writeHead(404).end();
    if (pathname.startsWith("/neighbour/")) return json(response, {});
    if (pathname === "/vitals") {
      batches.push({ headers: entry.headers, ...JSON.parse(entry.body) });
      return response.writeHead(204).end();
    }
    if (pathname === "/at-once") return;
    requests.push(entry);
    // A worker in between does not always hand an abort on before there is an answer.
    if (pathname !== "/never") open.add(entry);
    response.once("close", () => {
      open.delete(entry);
      entry.closedBy = response.writableFinished ? "server" : "client";
    });
    if (pathname !== "/never") await answers(pathname, response, stopped);
  };

  const server = createServer((request, response) =>
    handle(request, response).catch((error) => response.destroy(error)),
  );
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    requests,
    batches,
    /** The answer that is to be stopped goes on to its end, with time to see that it does. */
    release,
    /** Whether every answer came to its end, in whatever way. */
    isQuiet: () => open.size === 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
