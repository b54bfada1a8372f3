// Numbers as people read them, and the interval of a share. Pure.

import type { Measure, Rate } from "./api";

/** 812 ms, 1.24 s, 12.4 s: three digits at most, so that columns stay narrow. */
export function milliseconds(value: number): string {
  if (value < 10) return `${trim(value, 1)} ms`;
  if (value < 999.5) return `${Math.round(value)} ms`;
  const seconds = value / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  return seconds < 99.95 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

export function quantity(value: number | undefined, unit: Measure["unit"]): string {
  if (value === undefined) return "–";
  if (unit === "ms") return milliseconds(value);
  return unit === "ratio" ? value.toFixed(2) : trim(value, 1);
}

export function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Wilson's 95 % interval of a share. */
export function wilson(count: number, n: number): Rate {
  if (n === 0) return { count, n, share: 0, low: 0, high: 1 };
  const z = 1.959964;
  const share = count / n;
  const scale = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / scale;
  return { count, n, share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** An axis from 0 that holds `value`, in four to six round steps. */
export function roundAxis(value: number): { step: number; end: number } {
  const rough = Math.max(value, 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  return { step, end: Math.ceil(value / step - 1e-9) * step };
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
