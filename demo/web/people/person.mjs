// One person with one tab: opens the page, holds a conversation of a few turns and goes away, not always politely.

import { setTimeout as pause } from "node:timers/promises";
import { ChatPage } from "./chat-page.mjs";
import { chooseQuery, followUps, patience, questions, turns } from "./habits.mjs";

const longest = 60_000;

/** `take()` claims a turn from the common budget, `false` when it is used up; `report(what)` counts what was done. */
export async function visit({ context, url, random, take, report, onPageError }) {
  const tab = await context.newPage();
  tab.on("pageerror", onPageError);
  await tab.setViewport(random.chance(0.3) ? { width: 390, height: 844 } : { width: 1280, height: 800 });
  const chat = new ChatPage(tab, random);
  await chat.open(`${url}/?${chooseQuery(random)}`);
  await pause(random.between(100, 600));
  let stays = true;
  for (let turn = 0; stays && take(); turn++) {
    const habit = random.weighted(turns);
    report(habit);
    await chat.ask(turn === 0 || random.chance(0.3) ? random.pick(questions) : random.pick(followUps));
    stays = (await habits[habit]({ chat, context, url, random, take, report })) && random.chance(0.75);
  }
  if (!tab.isClosed()) await tab.close();
}

/** Each returns whether the person stays for another turn. */
const habits = {
  async read(person) {
    if (!(await waitForAnswer(person))) return false;
    const { chat, random } = person;
    if (random.chance(0.3)) await chat.scroll();
    if (random.chance(0.2)) await chat.press("Copy");
    return true;
  },

  async stop({ chat, random }) {
    await pause(random.around(1800, 0.6));
    await chat.press("Stop");
    await chat.finished(longest);
    await look(random);
    return true;
  },

  async regenerate(person) {
    if (!(await waitForAnswer(person))) return false;
    if (!person.take()) return false;
    if (!(await person.chat.press("Regenerate"))) await person.chat.press("Retry");
    return waitForAnswer(person);
  },

  async edit(person) {
    if (!(await waitForAnswer(person))) return false;
    if (!person.take()) return false;
    await person.chat.edit(person.random.pick(questions));
    return waitForAnswer(person);
  },

  async interrupt(person) {
    const { chat, random, take } = person;
    await pause(random.around(1500, 0.5));
    if (!take()) return false;
    await chat.ask(random.pick(followUps));
    return waitForAnswer(person);
  },

  async switch({ chat, random }) {
    await pause(random.around(1500, 0.5));
    // On a phone the list of conversations has to be opened first.
    if (!(await chat.press("New conversation"))) {
      await chat.press("Conversations");
      await chat.press("New conversation");
    }
    return true;
  },

  async hide(person) {
    const { chat, context, random } = person;
    await pause(random.between(100, 900));
    const other = await context.newPage();
    await other.bringToFront();
    await pause(random.around(2500, 0.4));
    await chat.page.bringToFront();
    await other.close();
    return waitForAnswer(person);
  },

  async close({ chat, random }) {
    await pause(random.around(1300, 0.6));
    await chat.page.close();
    return false;
  },

  async leave({ chat, url, random }) {
    await pause(random.around(1300, 0.6));
    await chat.page.goto(`${url}/dashboard`);
    return false;
  },
};

/** Waits as long as this person can: first for words, then for the end. Who loses patience stops or leaves. */
async function waitForAnswer({ chat, random, report }) {
  const limit = random.around(patience[await chat.indicator()] ?? patience.spinner, 0.5);
  if (await chat.firstWords(limit)) {
    if (!(await chat.finished(longest))) await chat.press("Stop");
    await look(random);
    return true;
  }
  report("lost patience");
  if (random.chance(0.5)) {
    await chat.page.close();
    return false;
  }
  await chat.press("Stop");
  await look(random);
  return true;
}

/** Nobody acts the moment an answer ends. */
function look(random) {
  return pause(random.around(900, 0.4));
}
