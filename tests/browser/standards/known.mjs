/**
 * What a page can still tell, if it looks for it: subtests that may fail with taps, and why. No test of the standards'
 * own suites is among them. An entry goes as soon as the taps do without.
 */
export const known = [
  [/a proxy (of|as) /, "what a proxy is can't be told without asking it"],
  [/^what is said when \w+ can't be copied/, "Firefox says so of every proxy"],
  [/^aborted: rejected before the next step/, "the page's promise is derived from the browser's: one step later"],
  [/does not call Promise\.prototype\.then/, "derived by the `then` that the page has put in place, if any"],
  [/^read\(\) looks for then as often/, "a derived promise looks once more"],
  [
    /^pipeTo\(\) does not use (\w+\.prototype\.locked|AbortSignal\.prototype\.aborted)/,
    "asked before a pipe is replaced",
  ],
  [/Array\.prototype\[Symbol\.iterator\]/, "lists are taken apart by the page's iterator"],
];
