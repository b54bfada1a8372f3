/** How pages are put together. Runs in the page. */
export const make = (parent, tag, className = "", text = "") => {
  const element = parent.ownerDocument.createElement(tag);
  element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
};
export const paragraphs = (text) =>
  text
    .split("\n\n")
    .map((part) => `<p>${part}</p>`)
    .join("");
