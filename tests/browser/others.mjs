/** What a page asks for that is no chat: the list, and how a server answers it. May touch: `tests/other-traffic.jsonl`. */
import { readFileSync } from "node:fs";

const lines = readFileSync(new URL("../other-traffic.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** `{ what, method, accept, send, status, type, body }`; `ranges`: it is asked for in two pieces. */
export const others = lines.map((line) => {
  const { hex, body, method = "GET", status = 200, ...entry } = JSON.parse(line);
  return { ...entry, method, status, body: hex === undefined ? Buffer.from(body) : Buffer.from(hex, "hex") };
});

/** Answers with entry `n` of the list, in two pieces where it can be; or with the range that is asked for. */
export const answerOther = (query, response, request) => {
  const { status, type, body } = others[query.get("n")];
  const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
  if (from) {
    const last = to ? Number(to) : body.length - 1;
    const headers = { "content-type": type, "content-range": `bytes ${from}-${last}/${body.length}` };
    return response.writeHead(206, headers).end(body.subarray(Number(from), last + 1));
  }
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  if (status === 204) return response.end();
  response.write(body.subarray(0, body.length / 2));
  setTimeout(() => response.end(body.subarray(body.length / 2)), 5);
};
