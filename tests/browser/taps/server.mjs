/**
 * A small streaming server: serves the test page and remembers of each stream how far it came. Over HTTP/1.1, or over
 * HTTP/2 with those that take it. May touch: a local port.
 */
import { createServer } from "node:http";
import { constants, createSecureServer } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { answerOther } from "../others.mjs";

// An empty module: header and version.
const WASM = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]);
const FLOOD = 64 * 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };

/** Ends an answer as a broken connection does. */
const reset = (response) => {
  if (response.stream) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
};

/** `identity`: key and certificate. */
export const serve = async (files, identity) => {
  /** key → { sent, closed, waiters } */
  const streams = new Map();
  const stream = (key) => {
    if (!streams.has(key)) {
      const entry = { sent: 0, started: false, connections: 0 };
      entry.closed = new Promise((resolve) => {
        entry.close = resolve;
      });
      streams.set(key, entry);
    }
    return streams.get(key);
  };

  const routes = {
    /** An empty page, with the scripts in its head that are asked for. */
    "/blank"(query, response) {
      const scripts = query.getAll("script").map((path) => `<script src="${path}"></script>`);
      response.writeHead(200, { "content-type": "text/html", "cache-control": "no-store" });
      response.end(`<!doctype html><title>t</title>${scripts.join("")}<body>`);
    },
    /** n events, one every gap ms, each with so many more bytes; ends by itself, by a reset, or never. */
    async "/sse"(query, response) {
      const entry = stream(query.get("key"));
      entry.started = true;
      response.on("close", () => {
        entry.closedAt = performance.timeOrigin + performance.now();
        entry.close(true);
      });
      response.writeHead(200, {
        "content-type": query.get("type") ?? "text/event-stream",
        "x-request-id": "r-1",
        "x-secret": "s",
      });
      response.flushHeaders();
      const gap = Number(query.get("gap") ?? 0);
      const more = ".".repeat(Number(query.get("more") ?? 0));
      for (let i = 0; i < Number(query.get("n") ?? 3); i++) {
        if (gap) await sleep(gap);
        if (response.destroyed || response.stream?.destroyed) return;
        response.write(`data: ${i}${more}\n\n`);
        entry.sent++;
      }
      if (query.has("reset")) return setTimeout(() => reset(response), 20);
      if (!query.has("open")) response.end();
    },
    /** A chat's answer as the request's own body tells it: `steps`, `[[pause, delta], …]`, as OpenAI streams it, or `records` of any format. */
    async "/chat"(_, response, request) {
      const parts = [];
      for await (const part of request) parts.push(part);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      const chunk = ([pause, delta]) => [pause, { choices: [{ index: 0, delta }] }];
      const { steps = [], records = steps.map(chunk) } = JSON.parse(Buffer.concat(parts));
      for (const [pause, record] of records) {
        await sleep(pause);
        response.write(`data: ${JSON.stringify(record)}\n\n`);
      }
      response.end("data: [DONE]\n\n");
    },
    "/other": answerOther,
    /** As much as the client takes. */
    "/flood"(query, response) {
      const entry = stream(query.get("key"));
      const block = Buffer.alloc(64 * 1024, "a");
      const size = Number(query.get("size") ?? FLOOD);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.on("close", () => entry.close(true));
      const more = () => {
        while (entry.sent < size) {
          if (response.stream?.destroyed) return;
          entry.sent += block.length;
          if (!response.write(block)) return response.once("drain", more);
        }
        response.end();
      };
      more();
    },
    /** Three events a connection, numbered on from the last. */
    "/events"(query, response, request) {
      const entry = stream(query.get("key"));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const from = Number(request.headers["last-event-id"] ?? 0);
      entry.connections++;
      response.write("retry: 10\n\n");
      for (let i = from + 1; i <= from + 3; i++)
        response.write(`id: ${i}\nevent: ${i % 2 ? "odd" : "message"}\ndata: d${i}\n\n`);
      response.end();
    },
    async "/echo"(query, response, request) {
      const parts = [];
      for await (const part of request) parts.push(part);
      const kept = ["accept", "content-type", "x-k", "content-length"];
      const headers = Object.fromEntries(kept.map((name) => [name, request.headers[name] ?? null]));
      const sent = Buffer.concat(parts).toString();
      // A multipart boundary is random, in some engines of a random length too.
      const [, boundary] = /^--(\S+)\r\n/.exec(sent) ?? [];
      const body = boundary ? sent.replaceAll(boundary, "boundary") : sent;
      if (boundary) headers["content-length"] = null;
      headers["content-type"] = headers["content-type"]?.replace(boundary, "boundary") ?? null;
      response.writeHead(200, JSON_TYPE);
      response.end(JSON.stringify({ method: request.method, query: [...query], headers, body }));
    },
    /** Another origin's: tells which requests came, preflights included, and what they carried. */
    async "/stranger"(query, response, request) {
      const entry = stream(query.get("key"));
      for await (const _ of request);
      const asked = ["access-control-request-headers", "traceparent", "x-request-id", "content-type"];
      entry.log ??= [];
      entry.log.push([request.method, ...asked.map((name) => request.headers[name] ?? null)]);
      const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type" };
      response.writeHead(200, { ...cors, ...JSON_TYPE, "cache-control": "no-store" });
      response.end(JSON.stringify(entry.log));
    },
    "/protocol": (_, response, { httpVersion }) => response.end(httpVersion === "2.0" ? "h2" : `http/${httpVersion}`),
    "/json": (_, response) => response.writeHead(200, JSON_TYPE).end('{"a":[1,"ü"]}'),
    "/broken": (_, response) => response.writeHead(200, JSON_TYPE).end('{"a":'),
    "/redirect": (_, response) => response.writeHead(302, { location: "/sse?key=redirect" }).end(),
    "/empty": (_, response) => response.writeHead(204).end(),
    "/limited": (_, response) =>
      response.writeHead(429, { ...JSON_TYPE, "retry-after": "7" }).end('{"error":"slow down"}'),
    "/x.wasm": (_, response) => response.writeHead(200, { "content-type": "application/wasm" }).end(WASM),
    // Chromium now and then drains what it cancelled for five seconds, in the hope to use the connection again.
    "/wait-closed": async (query, response) => {
      const gone = await Promise.race([stream(query.get("key")).closed, sleep(10_000).then(() => false)]);
      response.end(JSON.stringify(gone));
    },
    "/state": (query, response) => response.end(JSON.stringify({ ...stream(query.get("key")), closed: undefined })),
  };

  const answer = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (files[pathname]) return response.writeHead(200, { "content-type": "text/javascript" }).end(files[pathname]);
    const route = routes[pathname];
    if (!route) return response.writeHead(404).end();
    await route(searchParams, response, request);
  };
  const server = identity ? createSecureServer({ ...identity, allowHTTP1: true }, answer) : createServer(answer);
  const connections = new Set();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    /** What is known of the stream `key`. */
    stream,
    origin: `${identity ? "https" : "http"}://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      for (const socket of connections) socket.destroy();
    },
  };
};
