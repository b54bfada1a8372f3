/** What buttons are taken for, as chats mark them up (`tests/controls.jsonl`): built in a page, and clicked while an answer runs. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { hanging, serve } from "./ends/chat.mjs";
import { engines, launch } from "./engines/index.mjs";

const text = await readFile(new URL("../controls.jsonl", import.meta.url), "utf8");
const cases = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const KINDS = ["stop", "regenerate", "retry", "edit"];
/** A turn keeps sixteen actions, and two alike in a quarter of a second are one: few at a time, and one kind after the other. */
const BATCH = 12;

/** The cases one kind after the other, so that no two of a kind are neighbours while there are others. */
const mixed = () => {
  const rows = [...KINDS, "other"].flatMap((kind) => {
    const alike = cases.filter(({ is }) => is === kind);
    return alike.map((row, index) => ({ row, place: (index + 0.5) / alike.length }));
  });
  return rows.sort((a, b) => a.place - b.place).map(({ row }) => row);
};

const batches = () => {
  const rows = mixed();
  return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, at) => rows.slice(at * BATCH, (at + 1) * BATCH));
};

/** Runs in the page: puts the buttons there, asks a question, and waits for the beginning of the answer. */
const begin = async (htmls) => {
  document.querySelector("#controls")?.remove();
  const place = document.body.appendChild(Object.assign(document.createElement("section"), { id: "controls" }));
  const style =
    "#controls svg, #controls img { width: 16px; height: 16px } #controls [data-case] > * { min-width: 24px; min-height: 24px }";
  place.innerHTML = `<style>${style} .sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden }</style>`;
  htmls.forEach((html, index) => {
    place.insertAdjacentHTML("beforeend", `<div data-case="${index}">${html}</div>`);
  });
  window.clicks = [];
  if (!window.told) {
    window.told = [];
    window.vitals.onTurn((turn) => window.told.push(turn));
    addEventListener(
      "click",
      ({ target, timeStamp, isTrusted }) => {
        const index = target.closest?.("[data-case]")?.dataset.case;
        if (isTrusted && index) window.clicks[index] = timeStamp + performance.timeOrigin;
      },
      true,
    );
  }
  document.querySelector("main").replaceChildren();
  document.querySelector("#button").click();
  while (!document.querySelector("main").textContent.includes("moon")) await new Promise(requestAnimationFrame);
};

/** Runs in the page: breaks the answer off, and gives what was recorded at each click. */
const end = async () => {
  document.querySelector("#other").click();
  const before = window.told.length;
  while (window.told.length === before) await new Promise((resolve) => setTimeout(resolve, 20));
  const turn = window.told.at(-1);
  return window.clicks.map((click) => {
    const near = ({ at }) => Math.abs(turn.startedAt + at - click) < 5;
    return turn.actions.filter(near).map(({ type }) => type);
  });
};

for (const engine of engines) {
  describe(`controls: ${engine}`, () => {
    let browser;
    let server;
    before(async () => {
      server = await serve();
      browser = await launch(engine);
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    // Protects: stop, regenerate, retry and edit are known by whatever names them, and nothing else is taken for them.
    test("what buttons are taken for", async (t) => {
      server.expect(hanging);
      const page = await browser.page(`${server.origin}/`);
      assert.equal(await page.evaluate(() => window.vitals.ready), "full");
      const wrong = [];
      for (const rows of batches()) {
        await page.evaluate(
          begin,
          rows.map(({ html }) => html),
        );
        for (const index of rows.keys()) await page.click(`[data-case="${index}"] > :last-child`);
        const found = await page.evaluate(end);
        assert.equal(found.length, rows.length);
        rows.forEach((row, index) => {
          const known = found[index].filter((type) => KINDS.includes(type));
          if (known.join() !== (row.is === "other" ? "" : row.is)) wrong.push({ ...row, known });
        });
      }
      await page.close();
      for (const kind of [...KINDS, "other"]) {
        const of = (rows, aside) => rows.filter((row) => row.is === kind && (row.aside ?? false) === aside).length;
        t.diagnostic(
          `${kind}: missed ${of(wrong, false)} of ${of(cases, false)}, set aside ${of(wrong, true)} of ${of(cases, true)}`,
        );
      }
      for (const { is, from, html, known, aside } of wrong)
        t.diagnostic(`${is} ${from ?? ""}${aside ? " (aside)" : `: ${html}`}: ${known}`);
      assert.deepEqual(
        wrong.filter(({ is }) => is === "other"),
        [],
      );
      for (const kind of KINDS) {
        const of = (rows) => rows.filter(({ is }) => is === kind).length;
        assert.ok(of(wrong) <= of(cases) * 0.05, `${kind}: ${of(wrong)} of ${of(cases)} missed`);
      }
    });
  });
}
