/**
 * Random ids of this page, session and browser.
 * May touch: the storage it is given.
 */
const KEY = "chat-vitals";

/** 16 hexadecimal digits; the same as last time if a storage is named that can be used. */
export const idOf = (storage?: "sessionStorage" | "localStorage"): string => {
  let id = `${crypto.getRandomValues(new BigUint64Array(1))[0]?.toString(16)}`.padStart(16, "0");
  // Storage may be refused, full or absent: then the id lives as long as the page.
  try {
    const store = storage && globalThis[storage];
    id = store?.getItem(KEY) ?? id;
    store?.setItem(KEY, id);
  } catch {}
  return id;
};
