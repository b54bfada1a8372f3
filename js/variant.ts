/**
 * Which variant a unit sees. Here and not in the engine, because a page asks before its first paint.
 * May touch: nothing. FNV-1a (32 bits, UTF-8) of "name:unit" modulo 10,000, against the shares: the same in every version.
 */
interface Shares {
  variants: string[];
  /** Equal if absent. */
  weights?: number[] | undefined;
}

const SLOTS = 10_000;

/** 32 bits, over UTF-8. */
export const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
};

export const assign = (name: string, unit: string, { variants, weights }: Shares): string | undefined => {
  const shares = variants.map((_, index) => (weights ? (weights[index] ?? 0) : 1));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const slot = hash(`${name}:${unit}`) % SLOTS;
  let edge = 0;
  return (
    variants.find((_, index) => {
      edge += ((shares[index] ?? 0) / total) * SLOTS;
      return slot < edge;
    }) ?? variants[0]
  );
};
