// Markdown to safe HTML. The answer is foreign text, so nothing reaches the page unsanitised.

import DOMPurify from "dompurify";
import { Marked } from "marked";

const marked = new Marked({ gfm: true, breaks: false });

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  // Code that is wider than the screen scrolls; the keyboard has to reach it.
  if (node.tagName === "PRE") node.setAttribute("tabindex", "0");
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

export function renderMarkdown(source: string): string {
  const html = marked.parse(source, { async: false });
  // Images would load from other hosts, forms and styles would change the page.
  return DOMPurify.sanitize(html, {
    FORBID_TAGS: ["img", "style", "form", "input", "button"],
    FORBID_ATTR: ["style", "id"],
  });
}
