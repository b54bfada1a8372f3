/**
 * The server of one visit after the other: the page of a client, the SDK, and answers to whatever else is asked for.
 * It notes what it was asked, and when the other side let go. May touch: sockets, the built package, for reading.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("./", import.meta.url));
const DIST = process.env.SDK ?? fileURLToPath(new URL("../../../dist/", import.meta.url));
const GAP = 30;

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

const SDK = `<script type="module">
import { init } from "/dist/index.js";
window.batches = [];
window.vitals = init({ send: (batch) => void window.batches.push(batch) });
</script>`;

/** The same page in both visits, but for the SDK. */
const html = (visit) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${visit.name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script src="/witness.js"></script>
${visit.sdk ? SDK : ""}
<script type="module" src="/page.js"></script>
<body><div id="root"></div></body>
</html>`;

const serve = (response, name, body) => {
  response.writeHead(200, { "content-type": TYPES[extname(name)], "cache-control": "no-store" });
  response.end(body);
};

const fixed = async (visit, path) => {
  if (path === "/") return ["index.html", html(visit)];
  if (path === "/page.js") return ["page.js", visit.page.js];
  if (path === "/page.css") return ["page.css", visit.page.css];
  if (path === "/witness.js") return ["witness.js", await readFile(join(here, "witness.js"))];
  if (!path.startsWith("/dist/")) return undefined;
  const name = normalize(path.slice("/dist".length));
  return [name, await readFile(join(DIST, name))];
};

const bodyOf = async (request) => {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  return body;
};

/** What was asked. Headers in the order they came in, as pairs: an SDK that meddles would change that first. */
const note = async (request) => ({
  method: request.method,
  url: request.url,
  headers: request.rawHeaders,
  body: await bodyOf(request),
  sent: 0,
});

/** Sends an answer at a pace at which a page draws between the pieces; one that is a promise holds up what follows. */
const play = async (response, answer, entry) => {
  const closed = new Promise((resolve) => response.once("close", resolve));
  closed.then(() => {
    entry.closedAt = Date.now();
    entry.closedBy = response.writableEnded ? "server" : "client";
  });
  response.writeHead(answer.status ?? 200, { "cache-control": "no-store", ...answer.headers });
  response.flushHeaders();
  for (const piece of answer.pieces) {
    await sleep(answer.gap ?? GAP);
    const text = await piece;
    if (response.destroyed) return;
    response.write(text);
    entry.sent++;
  }
  if (answer.end === "hang") return closed;
  if (answer.end === "cut") {
    await sleep(answer.pause ?? GAP);
    entry.cut = true;
    return response.socket?.destroy();
  }
  response.end();
};

export class Server {
  /** What is visited: `{ name, page: { js, css }, sdk, answers }`. */
  #visit;
  #http = createServer((request, response) =>
    this.#handle(request, response).catch((error) => response.destroy(error)),
  );
  /** Requests of this visit, but for the page's own files. */
  requests = [];

  static async start() {
    const server = new Server();
    await new Promise((resolve) => server.#http.listen(0, "127.0.0.1", resolve));
    server.origin = `http://127.0.0.1:${server.#http.address().port}`;
    return server;
  }

  /**
   * From now on it is this visit. `answers` are for the requests in their order, the last one for all that follow;
   * or a function of what was asked, and of its number, that gives one.
   */
  expect(visit) {
    this.#visit = visit;
    this.requests = [];
  }

  #answer(entry, index) {
    const { answers } = this.#visit;
    return typeof answers === "function" ? answers(entry, index) : answers[Math.min(index, answers.length - 1)];
  }

  async #handle(request, response) {
    const file = await fixed(this.#visit, new URL(request.url, this.origin).pathname);
    if (file) return serve(response, ...file);
    const requests = this.requests;
    const index = requests.push(undefined) - 1;
    const entry = await note(request);
    requests[index] = entry;
    await play(response, this.#answer(entry, index), entry);
  }

  async stop() {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
