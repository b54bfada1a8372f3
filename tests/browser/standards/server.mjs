/**
 * Serves the suites, the harness they run in, and answers made to order.
 * May touch: two local ports, the second as another origin.
 */
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const packaged = (name) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

const FOLDERS = {
  "/suites/": here("."),
  "/resources/": join(packaged("wpt-runner"), "testharness"),
  "/interfaces/": packaged("@webref/idl"),
};

/** The taps as a classic script, so that they are there before the page's own. */
const recorder = async () => {
  const options = { bundle: true, minify: true, format: "iife", target: "es2022", write: false };
  return (await build({ entryPoints: [here("../taps/recorder.ts")], ...options })).outputFiles[0].contents;
};

/** One suite in a page of its own; what the harness says in the end waits in `results`. */
const page = (query) => `<!doctype html><title>t</title><meta name="timeout" content="long">
<script>
  globalThis.warnings = [];
  console.warn = (text) => warnings.push(String(text));
</script>
${query.has("tapped") ? '<script src="/recorder.js"></script>' : ""}
<script src="/resources/testharness.js"></script>
<script>
  setup({ output: false, allow_uncaught_exception: true });
  globalThis.results = new Promise((resolve) => add_completion_callback((tests, status) => resolve({
    status: [status.status, status.message],
    tests: tests.map(({ name, status, message }) => [name, status, message]),
  })));
</script>
${query.has("idl") ? '<script src="/resources/webidl2.js"></script><script src="/resources/idlharness.js"></script>' : ""}
<body><script type="module" src="/suites/${query.get("suite")}.mjs"></script>`;

const bodyOf = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
};

/** Headers of the answer: what is asked for, and what lets other origins see it. */
const headersFor = (query) => ({
  "content-type": query.get("type") ?? "text/event-stream",
  "cache-control": "no-store",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-a",
  "x-a": "1",
  ...JSON.parse(query.get("headers") ?? "{}"),
});

/** key → what was seen of the requests that named it. */
const seen = new Map();
const record = (query, entry) => {
  const key = query.get("key");
  if (key) seen.set(key, [...(seen.get(key) ?? []), entry]);
};

const routes = {
  "/page": (query, response) => response.setHeader("content-type", "text/html").end(page(query)),
  "/blank": (_, response) => response.setHeader("content-type", "text/html").end("<!doctype html><body>"),
  /** The body as asked for. */
  "/body"(query, response) {
    response.writeHead(Number(query.get("status") ?? 200), query.get("reason") ?? "OK", headersFor(query));
    response.end(query.get("body") ?? "data: hello\n\n");
  },
  /** `n` chunks `c0;`, `c1;`, … each its own; then the end, a reset, or nothing. */
  async "/chunks"(query, response) {
    response.on("close", () => record(query, "closed"));
    response.writeHead(200, headersFor(query)).flushHeaders();
    for (let i = 0; i < Number(query.get("n") ?? 3); i++) {
      await sleep(Number(query.get("gap") ?? 5));
      response.write(`${query.get("prefix") ?? ""}c${i};${query.has("sse") ? "\n\n" : ""}`);
    }
    if (query.has("open")) return;
    if (query.has("reset")) return setTimeout(() => response.destroy(), 30);
    response.end();
  },
  async "/big"(query, response) {
    response.writeHead(200, headersFor(query)).end(Buffer.alloc(Number(query.get("bytes")), "a"));
  },
  /** Says what it was asked. */
  async "/inspect"(query, response, request) {
    const body = await bodyOf(request);
    const names = (query.get("names") ?? "content-type").split(",");
    const headers = Object.fromEntries(names.map((name) => [name, request.headers[name] ?? null]));
    record(query, [request.method, headers["content-type"], body.length]);
    response.writeHead(200, headersFor(query));
    response.end(JSON.stringify({ method: request.method, headers, body: body.toString("latin1") }));
  },
  /** Another origin that asks to be asked before; its log has what came. */
  async "/preflight"(query, response, request) {
    await bodyOf(request);
    record(query, [request.method, request.headers["access-control-request-headers"] ?? null]);
    const allowed = query.has("deny") ? {} : { "access-control-allow-headers": "x-b, content-type" };
    response.writeHead(200, { ...headersFor(query), ...allowed, "access-control-allow-methods": "PUT, DELETE" });
    response.end("data: ok\n\n");
  },
  "/seen"(query, response) {
    response.setHeader("access-control-allow-origin", "*");
    response.end(JSON.stringify(seen.get(query.get("key")) ?? []));
  },
  "/redirect"(query, response) {
    const cors = { "access-control-allow-origin": "*" };
    response.writeHead(Number(query.get("status") ?? 302), { location: query.get("to") ?? "/body", ...cors }).end();
  },
  "/slow": async (query, response) => {
    await sleep(Number(query.get("ms")));
    response.writeHead(200, headersFor(query)).end("data: slow\n\n");
  },
  "/reset": (_, response) => response.destroy(),
  /** Events given as text; of the first connection only, unless `again`. */
  "/events"(query, response, request) {
    const times = (seen.get(query.get("key")) ?? []).length;
    record(query, request.headers["last-event-id"] ?? null);
    response.writeHead(Number(query.get("status") ?? 200), headersFor(query));
    if (times && query.has("stop")) return response.end("data: again\n\n");
    response.write(Buffer.from(query.get("body") ?? "data: a\n\n"));
    if (query.has("end")) response.end();
  },
};

const MIME = { ".js": "text/javascript", ".mjs": "text/javascript", ".idl": "text/plain" };

const file = async (pathname) => {
  const folder = Object.keys(FOLDERS).find((one) => pathname.startsWith(one));
  return folder && readFile(join(FOLDERS[folder], pathname.slice(folder.length)));
};

export const serve = async () => {
  const script = await recorder();
  const handle = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname === "/recorder.js") return response.setHeader("content-type", "text/javascript").end(script);
    if (routes[pathname]) return routes[pathname](searchParams, response, request);
    const contents = await file(pathname).catch(() => undefined);
    if (!contents) return response.writeHead(404).end();
    response.setHeader("content-type", MIME[pathname.match(/\.\w+$/)?.[0]] ?? "text/plain").end(contents);
  };
  const servers = [createServer(handle), createServer(handle)];
  for (const server of servers) await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const [origin, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
  return {
    /** Address of a suite's page. */
    page: (suite, tapped) =>
      `${origin}/page?suite=${suite}&other=${encodeURIComponent(other)}${tapped ? "&tapped" : ""}${/^idl/.test(suite) ? "&idl" : ""}`,
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
};
