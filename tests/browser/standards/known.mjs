/**
 * What a page can still tell, if it looks for it: subtests that may fail with taps, and why. No test of the standards'
 * own suites is among them. An entry goes as soon as the taps do without.
 */
export const known = [
  [/a proxy (of|as) /, "what a proxy is can't be told without asking it"],
  [/^what is said when \w+ can't be copied/, "Firefox says so of every proxy"],
  [/^aborted: rejected before the next step/, "the page's promise is derived from the browser's: one step later"],
  [/turned to text once|pair that can be iterated/, "a request of ours is made of the same arguments"],
  [/^refused at once: a symbol as body/, "the request of ours has another body"],
  [/not asked by way of (its getters|it)|nobody asks it by way of its class/, "members of the page's own classes"],
  [
    /does not (call|use|ask|iterate)|nobody (asks|calls)|looks for then as often/,
    "what the page has put in place since",
  ],
  [/toJSON is not asked|does not ask for toJSON/, "JSON is measured by its text"],
];
