// Sizes of bundles: reads [[path, …], …] from the first argument, prints [[raw, gzip, brotli], …].
// The files of one bundle are joined before they are compressed, as an application's bundler joins them.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const bundles = JSON.parse(process.argv[2]);
const sizes = bundles.map((files) => {
  const joined = Buffer.concat(files.map((file) => readFileSync(file)));
  const brotli = brotliCompressSync(joined, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: joined.length },
  });
  return [joined.length, gzipSync(joined, { level: 9 }).length, brotli.length];
});
console.log(JSON.stringify(sizes));
