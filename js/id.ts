/**
 * Random ids of this page, session and browser.
 * May touch: the storage it is given.
 */
const KEY = "chat-vitals";

/** 64 random bits; the same as last time if a storage is named that can be used. */
export const idOf = (storage?: "sessionStorage" | "localStorage"): string => {
  let id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  // Storage may be refused, full or absent: then the id lives as long as the page.
  try {
    if (storage) id = globalThis[storage][KEY] ??= id;
  } catch {}
  return id;
};
