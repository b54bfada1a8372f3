// Time range, segment and comparison. The address holds them, so that a view can be shared and reloaded.

import { byId, h } from "../shared/dom";
import type { By, Filters, Segments } from "./api";

const ranges: Record<string, number> = { "15m": 15, "1h": 60, "24h": 24 * 60 };
const lists = { route: "routes", format: "formats", model: "models", variant: "variants" } as const;

export class FilterForm {
  readonly #form = byId<HTMLFormElement>("filters");

  constructor(onChange: () => void) {
    const query = new URLSearchParams(location.search);
    this.#set("range", query.get("range") ?? "all");
    this.#set("by", query.get("by") ?? "");
    for (const name of Object.keys(lists)) {
      const value = query.get(name);
      if (value) this.#select(name).add(new Option(value, value, false, true));
    }
    this.#form.addEventListener("change", () => {
      this.#remember();
      onChange();
    });
    this.#form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Offers the segments that exist; what is chosen stays chosen. */
  offer(segments: Segments): void {
    for (const [name, list] of Object.entries(lists)) {
      const select = this.#select(name);
      const values = segments[list];
      const shown = [...select.options].map(({ value }) => value).filter(Boolean);
      if (shown.join("\n") === values.join("\n")) continue;
      const chosen = select.value;
      const all = new Set(chosen ? [...values, chosen] : values);
      select.replaceChildren(h("option", { value: "" }, "All"), ...[...all].map((value) => new Option(value, value)));
      select.value = chosen;
    }
  }

  get filters(): Filters {
    const data = new FormData(this.#form);
    const minutes = ranges[String(data.get("range"))];
    const filters: Filters = minutes ? { from: Date.now() - minutes * 60_000 } : {};
    for (const name of Object.keys(lists) as (keyof typeof lists)[]) {
      const value = data.get(name);
      if (value) filters[name] = String(value);
    }
    return filters;
  }

  get by(): By | undefined {
    return (this.#select("by").value || undefined) as By | undefined;
  }

  #remember(): void {
    const url = new URL(location.href);
    for (const [name, value] of new FormData(this.#form)) {
      if (value && value !== "all") url.searchParams.set(name, String(value));
      else url.searchParams.delete(name);
    }
    history.replaceState(null, "", url);
  }

  #select(name: string): HTMLSelectElement {
    return this.#form.elements.namedItem(name) as HTMLSelectElement;
  }

  #set(name: string, value: string): void {
    const control = this.#form.elements.namedItem(name) as RadioNodeList | HTMLSelectElement;
    control.value = value;
  }
}
