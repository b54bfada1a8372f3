// The chat page. Starts the SDK as a customer's page does and ties the parts together: conversations, composer, running turn.

import { init } from "chat-vitals";
import { Composer } from "./composer";
import { Exchange } from "./exchange";
import { AnswerView, type Handlers } from "./message-view";
import { bindSettings, readSettings, type IndicatorName } from "./settings";
import { Sidebar } from "./sidebar";
import { Steps } from "./steps";
import { assistantMessage, Store, userMessage, type Conversation, type Message } from "./store";
import { Transcript } from "./transcript";
import { groundTruth } from "./truth";
import { byId } from "../shared/dom";

const initial = readSettings();
const vitals = init({
  ...(initial.otlp
    ? { endpoint: "/otlp", format: "otlp", propagate: { to: [location.origin], headers: ["traceparent"] } }
    : { endpoint: "/vitals" }),
  experiments: { progress: ["none", "spinner", "steps", "skeleton"] },
});

const truth = groundTruth(initial.truth);
const drawing = { truth, roles: initial.roles };
const store = new Store();
const steps = new Steps();
const handlers: Handlers = {
  regenerate: () => answerAgain(true),
  retry: () => answerAgain(false),
  edit: startEditing,
};
const transcript = new Transcript(drawing, handlers, send);
const composer = new Composer({ send, stop: () => running?.stop(), cancelEdit: stopEditing });
const sidebar = new Sidebar(store, open);

let current: Conversation | null = null;
let running: Exchange | null = null;
let editing = false;

bindSettings(byId<HTMLFormElement>("settings"));
if (initial.roles) byId("stop").dataset["chatVitals"] = "stop";
addEventListener("popstate", showAddress);
showAddress();

/** A question asked while an answer streams ends that answer. */
function send(text: string): void {
  running?.stop();
  truth?.begin();
  if (editing) dropLastQuestion();
  if (!current) {
    current = store.create(text);
    history.pushState(null, "", `/c/${current.id}${location.search}`);
    showTitle();
  }
  stopEditing();
  composer.text = "";
  const message = userMessage(text);
  current.messages.push(message);
  transcript.addQuestion(message);
  void answer(current, false);
}

/** Asks the last question once more, in place of its answer. */
function answerAgain(regenerate: boolean): void {
  if (running || !current || current.messages.at(-1)?.role !== "assistant") return;
  truth?.begin();
  current.messages.pop();
  transcript.removeLast();
  void answer(current, regenerate);
}

async function answer(conversation: Conversation, regenerate: boolean): Promise<void> {
  const settings = readSettings();
  const indicator = chooseIndicator();
  const message = assistantMessage();
  const messages = conversation.messages.map(({ role, text }) => ({ role, content: text }));
  conversation.messages.push(message);
  store.save();
  const view = new AnswerView(message, drawing, handlers);
  transcript.addAnswer(view);
  view.wait(indicator);
  if (indicator === "steps") steps.follow(conversation.id, (step) => step && view.step(step));
  const exchange = new Exchange(message, view, truth, settings);
  running = exchange;
  composer.busy = true;
  sidebar.draw(conversation.id);
  const done = exchange.run({
    format: settings.format,
    messages,
    conversation: conversation.id,
    progress: indicator === "steps",
    regenerate,
    scenario: settings.scenario,
  });
  if (settings.progress !== "experiment") vitals.turn?.setAttribute("progress", indicator);
  await done;
  store.save();
  if (running !== exchange) return;
  running = null;
  composer.busy = false;
}

/** The user's choice, or what the experiment assigned. */
function chooseIndicator(): IndicatorName {
  const { progress } = readSettings();
  return progress === "experiment"
    ? ((vitals.variant("progress") as IndicatorName | undefined) ?? "spinner")
    : progress;
}

function startEditing(): void {
  const question = lastQuestion();
  if (!question || running) return;
  editing = composer.editing = true;
  composer.text = question.text;
  composer.focus();
}

function stopEditing(): void {
  if (editing) composer.text = "";
  editing = composer.editing = false;
}

function dropLastQuestion(): void {
  while (current?.messages.length) {
    const dropped = current.messages.pop();
    transcript.removeLast();
    if (dropped?.role === "user") return;
  }
}

function lastQuestion(): Message | undefined {
  return current?.messages.findLast(({ role }) => role === "user");
}

/** Opens a conversation, or an empty page for a new one. */
function open(id: string | null): void {
  history.pushState(null, "", `${id ? `/c/${id}` : "/"}${location.search}`);
  showAddress();
  composer.focus();
}

function showAddress(): void {
  leave();
  const id = location.pathname.match(/^\/c\/([\w-]+)/)?.[1];
  current = (id && store.find(id)) || null;
  if (id && !current) history.replaceState(null, "", `/${location.search}`);
  transcript.show(current?.messages ?? []);
  showTitle();
  sidebar.draw(current?.id ?? null);
}

function showTitle(): void {
  document.title = current ? `${current.title} – Aurora chat` : "Aurora chat";
}

/** A conversation that is left takes its running answer with it. */
function leave(): void {
  running?.stop();
  running = null;
  composer.busy = false;
  stopEditing();
  steps.close();
  store.save();
}
