/**
 * Random ids of this page, session and browser.
 * May touch: the storage it is given.
 */
const KEY = "chat-vitals";

/** 16 hexadecimal digits; the same as last time if a storage is given that can be used. */
export const idOf = (storage?: () => Storage): string => {
  const fresh = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // Storage may be refused, full or absent: then the id lives as long as the page.
  try {
    const store = storage?.();
    const id = store?.getItem(KEY) ?? fresh();
    store?.setItem(KEY, id);
    return id;
  } catch {
    return fresh();
  }
};
