/**
 * What Chromium holds for a page after a collection, told apart: compiled code comes when the engine finds time for it and
 * says nothing of what is kept. May touch: a page's session of the DevTools protocol.
 */

/** The page's heap as nodes of a snapshot: how many of each kind, and the bytes of those that are JavaScript's. */
const nodesOf = async (client) => {
  const parts = [];
  const hear = ({ chunk }) => parts.push(chunk);
  client.on("HeapProfiler.addHeapSnapshotChunk", hear);
  await client.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  client.off("HeapProfiler.addHeapSnapshotChunk", hear);
  const { snapshot, nodes, strings } = JSON.parse(parts.join(""));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const at = Object.fromEntries(fields.map((field, index) => [field, index]));
  const kinds = new Map();
  let bytes = 0;
  for (let node = 0; node < nodes.length; node += fields.length) {
    const type = types[0][nodes[node + at.type]];
    if (type === "code") continue;
    // The browser's own objects count by number: its tables grow and shrink by leaps.
    if (type !== "native") bytes += nodes[node + at.self_size];
    const kind = /string|number/.test(type) ? type : `${type} ${strings[nodes[node + at.name]]}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { kinds, bytes };
};

/** Bytes of all memories of WebAssembly. */
const wasmOf = async (client) => {
  const objectGroup = "wasm";
  const { result } = await client.send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype", objectGroup });
  const { objects } = await client.send("Runtime.queryObjects", { prototypeObjectId: result.objectId, objectGroup });
  const sum = await client.send("Runtime.callFunctionOn", {
    objectId: objects.objectId,
    functionDeclaration: "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }",
    returnByValue: true,
  });
  await client.send("Runtime.releaseObjectGroup", { objectGroup });
  return sum.result.value;
};

/** `total`: bytes of everything. The others leave out what is the engine's own affair. */
const held = async (client) => {
  for (let i = 0; i < 4; i++) await client.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await client.send("Runtime.getHeapUsage");
  const { kinds, bytes } = await nodesOf(client);
  return {
    total: usedSize + embedderHeapUsedSize + backingStorageSize,
    bytes: bytes + backingStorageSize,
    objects: [...kinds.values()].reduce((sum, count) => sum + count, 0),
    wasm: await wasmOf(client),
    kinds,
  };
};

/**
 * What is left behind by `work()`, which was done once before so that everything is warm: `total`, `bytes`, `objects` and
 * `wasm`, and of which `kinds` there are most more.
 */
export const leftBehind = async (page, work) => {
  const client = await page.puppeteer.createCDPSession();
  await client.send("HeapProfiler.enable");
  await work();
  const before = await held(client);
  await work();
  const after = await held(client);
  const more = ([kind, count]) => [count - (before.kinds.get(kind) ?? 0), kind];
  const kinds = [...after.kinds].map(more).sort(([one], [other]) => other - one);
  const grown = ["total", "bytes", "objects", "wasm"].map((name) => [name, after[name] - before[name]]);
  return { ...Object.fromEntries(grown), kinds: kinds.slice(0, 12) };
};
