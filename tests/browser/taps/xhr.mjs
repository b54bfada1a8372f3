/** What a page can do with `XMLHttpRequest`. See scenarios.mjs. */
import { closed, inTime, url } from "./in-page.mjs";

const EVENTS = ["readystatechange", "loadstart", "progress", "load", "error", "abort", "timeout", "loadend"];

/** Runs one request; answers with its events and what the page has in its hands then. */
const run = (xhr, start) =>
  new Promise((resolve) => {
    const log = [];
    for (const type of EVENTS) {
      xhr.addEventListener(type, (event) => {
        // How often text comes is the network's; in which order things end is not.
        const name = type === "readystatechange" ? `${type} ${xhr.readyState}` : type;
        if (log.at(-1) !== name && type !== "progress" && name !== "readystatechange 3") log.push(name);
        if (type === "loadend") setTimeout(() => resolve([log, xhr.status, event.constructor.name]));
      });
    }
    start(xhr);
  });

const get = (path, how = () => {}) => {
  const xhr = new XMLHttpRequest();
  return run(xhr, () => {
    xhr.open("GET", path);
    how(xhr);
    xhr.send();
  }).then((seen) => [...seen, xhr]);
};

export const xhr = {
  async xhrText(key) {
    const [log, status, kind, request] = await get(url(key, "&gap=60"));
    return [log, status, kind, request.responseText, new URL(request.responseURL).pathname, Reflect.ownKeys(request)];
  },
  async xhrTypes(key) {
    const seen = [];
    for (const type of ["text", "json", "arraybuffer", "blob", "document"]) {
      const [log, , , request] = await get(type === "json" ? "/json" : url(`${key}${type}`), (one) => {
        one.responseType = type;
      });
      const { response } = request;
      seen.push([
        log,
        Object.prototype.toString.call(response),
        response === request.response,
        response?.size ?? response?.byteLength,
      ]);
      try {
        seen.push(request.responseText);
      } catch (error) {
        seen.push([error.name, error.message]);
      }
    }
    return seen;
  },
  async xhrProgress(key) {
    const xhr = new XMLHttpRequest();
    const grown = [];
    xhr.onprogress = () => grown.push(xhr.responseText.length);
    const seen = await run(xhr, () => {
      xhr.open("POST", url(key, "&gap=80"), true);
      xhr.setRequestHeader("content-type", "application/json");
      xhr.send('{"stream":true}');
    });
    return [seen, grown.length > 0, grown.at(-1), xhr.responseText];
  },
  async xhrAbort(key) {
    const xhr = new XMLHttpRequest();
    xhr.onprogress = () => setTimeout(() => xhr.abort());
    const seen = await run(xhr, () => {
      xhr.open("GET", url(key, "&open&n=1"));
      xhr.send();
    });
    return [seen, xhr.readyState, xhr.responseText, await closed(key)];
  },
  async xhrTimeout(key) {
    const [log, status] = await get(url(key, "&open&n=0"), (xhr) => {
      xhr.timeout = 150;
    });
    return [log, status];
  },
  async xhrReset(key) {
    const end = get(url(key, "&n=1&reset"));
    const [log, status, , request] = await inTime(end, "end to a stream that the server resets");
    return [log, status, request.responseText];
  },
  async xhrNetworkError() {
    const [log, status] = await get("http://127.0.0.1:9/");
    return [log, status];
  },
  async xhrTwice(key) {
    const xhr = new XMLHttpRequest();
    xhr.open("GET", url(key, "&open"));
    xhr.send();
    await new Promise((resolve) => {
      xhr.onprogress = resolve;
    });
    xhr.onprogress = null;
    const seen = await run(xhr, () => {
      xhr.open("GET", url(`${key}b`));
      xhr.send();
    });
    return [seen, xhr.responseText, await closed(key)];
  },
  xhrSync() {
    const xhr = new XMLHttpRequest();
    const log = [];
    for (const type of EVENTS) xhr.addEventListener(type, () => log.push([type, xhr.readyState]));
    xhr.open("GET", "/json", false);
    xhr.send();
    return [log, xhr.status, xhr.responseText];
  },
  async xhrRefused() {
    const seen = [];
    const xhr = new XMLHttpRequest();
    const tries = [
      () => xhr.send(),
      () => xhr.open("CONNECT", "/"),
      () => xhr.open("GET", "http://["),
      () => xhr.open("a b", "/"),
      () => xhr.open("GET"),
      () => xhr.open(),
    ];
    for (const attempt of tries) {
      try {
        attempt();
        seen.push("accepted");
      } catch (error) {
        seen.push([error.name, error.message, xhr.readyState]);
      }
    }
    xhr.open("GET", "/json");
    xhr.send();
    try {
      xhr.send();
    } catch (error) {
      seen.push([error.name, error.message]);
    }
    return seen;
  },
  /** What becomes text is asked once, as natively. */
  async xhrAsksOnce() {
    let asked = 0;
    const path = {
      toString() {
        asked++;
        return "/json";
      },
    };
    const xhr = new XMLHttpRequest();
    await run(xhr, () => {
      xhr.open("GET", path);
      xhr.send();
    });
    return [asked, xhr.responseText];
  },
  async xhrSubclass() {
    class Own extends XMLHttpRequest {
      open(...args) {
        this.opened = true;
        super.open(...args);
      }
    }
    const xhr = new Own();
    const seen = await run(xhr, () => {
      xhr.open("get", "/json");
      xhr.send();
    });
    return [seen, xhr.opened, xhr instanceof XMLHttpRequest, xhr.constructor === Own, XMLHttpRequest.DONE];
  },
};
