/** Runs the application in a zone of its own, as Angular does, and notes which tasks make that zone look for changes;
 * without the plugin `fetch` is none. */
import { pathOf } from "./neighbour.js";

export const enterZone = (isBlind: boolean) => {
  const notes: string[] = [];
  const zone = Zone.current.fork({
    name: "application",
    onScheduleTask(parent, _, target, task) {
      const [input] = (task.data as { fetchArgs?: [RequestInfo] } | undefined)?.fetchArgs ?? [];
      const url = input instanceof Request ? input.url : `${input}`;
      if (input && URL.canParse(url, location.href)) notes.push(`task ${task.source} ${pathOf(url)}`);
      return parent.scheduleTask(target, task);
    },
  });
  window.neighbour = {
    notes: () => notes,
    isBlind,
    around: (run) => zone.run(run),
    here: () => Zone.current.name,
  };
};
