/**
 * A chat as pages have them, whose only button has no name and is that of sending and of stopping; and its server, which
 * is told what the SDK sends. May touch: sockets, the built package, for reading.
 */
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const dist = new URL("../../../dist/", import.meta.url);

/** `ask` tries again by itself, as clients do, after so many milliseconds. */
const PAGE = `<!doctype html><title>chat</title>
<main></main>
<form><textarea></textarea><button id="button" type="button"><svg width="20" height="20"></svg></button></form>
<p id="tools"><button id="refresh">Refresh</button><button id="other"><svg width="20" height="20"></svg></button></p>
<a id="link" href="/next">Elsewhere</a>
<script type="module">
  import { init } from "/dist/index.js";
  window.vitals = init({ endpoint: "/tell" });
  const main = document.querySelector("main");
  const input = document.querySelector("textarea");
  const tries = Number(new URLSearchParams(location.search).get("tries") ?? 1);
  let controller;
  const answer = async () => {
    const place = main.appendChild(document.createElement("p"));
    const body = JSON.stringify({ stream: true });
    const response = await fetch("/chat", { method: "POST", body, signal: controller.signal });
    if (!response.ok) throw new Error(String(response.status));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\\n\\n");
      rest = lines.pop();
      for (const line of lines) place.append(JSON.parse(line.slice(6)).choices[0].delta.content ?? "");
    }
  };
  const run = async () => {
    controller = new AbortController();
    for (let tried = 1; ; tried++) {
      try {
        await answer();
      } catch (error) {
        if (error.name !== "AbortError" && tried < tries) {
          await new Promise((resolve) => setTimeout(resolve, 900));
          continue;
        }
        main.append("Something went wrong.");
      }
      controller = undefined;
      return;
    }
  };
  document.querySelector("#button").addEventListener("click", () => {
    if (controller) return controller.abort();
    input.value = "";
    run();
  });
  document.querySelector("#refresh").addEventListener("click", run);
  document.querySelector("#other").addEventListener("click", () => controller.abort());
</script>`;

const record = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

export const TEXT = "The moon pulls the water of the oceans into two bulges.";

/** Answers, each played once; the last one for all that follow. */
export const whole = { pieces: [record({ content: TEXT }), record({}, "stop")] };
export const hanging = { pieces: [record({ content: TEXT })], end: "hang" };
export const cut = { pieces: [record({ content: TEXT })], end: "cut" };
export const refused = (status, headers) => ({ status, headers, pieces: ["{}"] });

export const serve = async () => {
  const names = (await readdir(dist)).filter((name) => name.endsWith(".js"));
  let answers = [];
  let told = [];
  const play = async (response, { status = 200, headers, pieces, end }) => {
    const type = status === 200 ? "text/event-stream" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers });
    for (const piece of pieces) {
      response.write(piece);
      await sleep(100);
    }
    if (end === "cut") return response.destroy();
    if (end !== "hang") response.end();
  };
  const bodyOf = async (request) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    return body;
  };
  const pages = {
    "/": (response) => response.writeHead(200, { "content-type": "text/html" }).end(PAGE),
    // Long enough for a failure to be told before the page goes.
    "/next": (response) => setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end("…"), 900),
    "/chat": (response) => play(response, answers.length > 1 ? answers.shift() : answers[0]),
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const body = await bodyOf(request);
    if (pathname === "/tell") {
      told.push(...JSON.parse(body).turns);
      return response.writeHead(204).end();
    }
    if (pages[pathname]) return pages[pathname](response);
    const name = names.find((name) => pathname === `/dist/${name}`);
    if (!name) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/javascript" }).end(await readFile(new URL(name, dist)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    expect(...next) {
      answers = next;
      told = [];
    },
    /** Everything that was told, once there are so many turns of which an end was told, or what `isEnd` says. */
    async told(count, isEnd = ({ outcome }) => outcome !== "open") {
      for (let tries = 0; tries < 300; tries++) {
        const ended = new Set(told.filter(isEnd).map(({ id }) => id));
        if (ended.size >= count) return told;
        await sleep(50);
      }
      throw new Error(`in vain: ${JSON.stringify(told, null, 1)}`);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
};
