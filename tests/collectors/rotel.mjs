/**
 * A collector as others run it: rotel on a free port, and what it prints of what it took.
 * May touch: a process. ROTEL names the program.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { until } from "../browser/turns/demo.mjs";

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
};

/** `signal`: "traces" or "logs"; rotel prints one of them. */
export const startRotel = async (signal) => {
  const [http, grpc] = [await freePort(), await freePort()];
  const options = {
    "--otlp-http-endpoint": `127.0.0.1:${http}`,
    "--otlp-grpc-endpoint": `127.0.0.1:${grpc}`,
    "--exporter": "blackhole",
    "--debug-log": signal,
    "--debug-log-verbosity": "detailed",
  };
  const rotel = spawn(process.env.ROTEL, ["start", ...Object.entries(options).flat()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(rotel, "exit");
  let printed = "";
  rotel.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  const url = `http://127.0.0.1:${http}`;
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(answers, () => `rotel at ${url}`);
  return {
    url,
    printed: () => printed,
    async stop() {
      rotel.kill();
      await exit;
    },
  };
};

/** The spans of what was printed: `name`, `id`, `parent`, `trace`, `kind` and `attributes` as text. */
export const spansIn = (printed) =>
  printed
    .split(/^Span #\d+$/m)
    .slice(1)
    .map((text) => {
      const field = (name) => new RegExp(`^ *${name} *: *(.*)$`, "m").exec(text)?.[1].trim();
      const attributes = [...text.matchAll(/^ +-> ([^:]+): (.*)$/gm)].map(([, key, value]) => [key, value]);
      return {
        trace: field("Trace ID"),
        parent: field("Parent ID"),
        id: field("ID"),
        name: field("Name"),
        kind: field("Kind"),
        attributes: Object.fromEntries(attributes),
      };
    });
