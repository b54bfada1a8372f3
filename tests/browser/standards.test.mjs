/**
 * What the standards promise holds with the taps as without them: the same subtests pass, and those that fail say the
 * same. Each suite runs in the web-platform-tests' own harness, in an untouched and in a tapped page of each engine.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines, launch } from "./engines/index.mjs";
import { known } from "./standards/known.mjs";
import { serve } from "./standards/server.mjs";
import { MOST_FAILED, suites } from "./standards/suites.mjs";

const NOT_FOR_HERE = 4;
const VERDICTS = ["pass", "fail", "no end", "not run", "not for here"];

/** What the harness says in the end; asked again and again, as one question may not last for long. */
const outcome = async (page) => {
  for (;;) {
    const found = await page.evaluate(() =>
      Promise.race([results, new Promise((resolve) => setTimeout(resolve, 5000))]),
    );
    if (found) return found;
  }
};

/** Name → verdict and message of every subtest of a suite. */
const run = async (browser, url) => {
  const page = await browser.page(url);
  const { status, tests } = await outcome(page);
  const { warnings, isOn } = await page.evaluate(() => ({ warnings, isOn: globalThis.tap?.on ?? "not there" }));
  await page.close();
  const subtests = new Map(tests.map(([name, verdict, message]) => [name, `${VERDICTS[verdict]} ${message ?? ""}`]));
  const passed = tests.filter(([, verdict]) => verdict === 0).length;
  const failed = tests.filter(([, verdict]) => verdict && verdict !== NOT_FOR_HERE).length;
  return { status, warnings, isOn, subtests, passed, failed };
};

/**
 * The verdicts of an engine by itself. What it does not end within the limit says nothing: Firefox, too, now and then holds a connection
 * for seconds that nobody wants any more. Asked once more, then.
 */
const runNatively = async (browser, url, tapped) => {
  const native = await run(browser, url);
  const isLate = ([name, verdict]) => verdict.includes("no end") && tapped.subtests.get(name)?.startsWith("pass");
  return [...native.subtests].some(isLate) ? run(browser, url) : native;
};

const differences = (native, tapped) =>
  [...new Set([...native.subtests.keys(), ...tapped.subtests.keys()])]
    .filter((name) => native.subtests.get(name) !== tapped.subtests.get(name))
    .map((name) => `${name}: natively ${native.subtests.get(name)}; with taps ${tapped.subtests.get(name)}`);

for (const engine of engines) {
  describe(`standards: ${engine}`, () => {
    let server;
    let browser;
    before(async () => {
      server = await serve();
      browser = await launch(engine);
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    for (const [suite, fewest] of Object.entries(suites)) {
      test(suite, async (t) => {
        const tapped = await run(browser, server.page(suite, true));
        const native = await runNatively(browser, server.page(suite, false), tapped);
        const { size } = native.subtests;
        t.diagnostic(`${engine}, ${suite}: of ${size} ${native.passed} pass natively, ${tapped.passed} with taps`);
        if (process.env.SHOW_FAILED)
          for (const [name, verdict] of native.subtests)
            if (!/^pass/.test(verdict)) t.diagnostic(`${name}: ${verdict}`);
        const found = differences(native, tapped);
        const unknown = found.filter((one) => !known.some(([name]) => name.test(one.split(": natively ")[0])));
        if (found.length > unknown.length) t.diagnostic(`${found.length - unknown.length} that are known to differ`);
        if (process.env.SHOW_KNOWN) for (const one of found) t.diagnostic(one);
        assert.ok(!unknown.length, ["not the same:", ...unknown].join("\n"));
        assert.deepEqual([tapped.status, tapped.warnings], [native.status, native.warnings]);
        assert.deepEqual([native.isOn, tapped.isOn], ["not there", true], "the taps are there, and on to the end");
        assert.ok(size >= fewest, `only ${size} subtests`);
        assert.ok(native.failed <= size * MOST_FAILED, `${native.failed} of ${size} fail natively`);
      });
    }
  });
}
