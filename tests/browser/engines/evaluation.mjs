/** How a function goes into a page and its outcome comes back: as text, hence the same in every engine. */

/** No call of a page takes longer. */
export const PATIENCE = 30_000;

/** A body of an async function that runs `fn` and returns its outcome as JSON. */
export const packed = (fn, args) => `
  try {
    const value = await (${fn})(...${JSON.stringify(args)});
    return JSON.stringify({ value });
  } catch (error) {
    const { name, message, stack } = Object(error);
    return JSON.stringify({ error: { name, message: message ?? String(error), stack } });
  }`;

export const unpacked = (json) => {
  const { value, error } = JSON.parse(json);
  if (!error) return value;
  const { name, message, stack } = error;
  throw Object.assign(new Error(message), { name, inPage: stack });
};

/** Rejects when the page does not answer. */
export const patiently = async (promise, what) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE / 1000} s: ${what}`)), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};
