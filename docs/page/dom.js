// Small helpers for making nodes. Nothing here parses HTML: text stays text.

/** Make an element: attributes by name (null and false are left out), then children. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Set text only where it changed: an untouched node keeps a reader's selection. */
export function setText(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}

/** Show the buttons of a block that were written `hidden` because they need JavaScript. */
export function revealButtons(root) {
  for (const button of root.querySelectorAll("button[hidden][data-action], button[hidden][type]")) {
    button.hidden = false;
  }
}

/** The block's button for an action, or null. */
export function action(root, name) {
  return root.querySelector(`[data-action="${name}"]`);
}

/** A polite live region that only screen readers meet. */
export function announcer(root) {
  const node = el("p", { class: "dp-announce", role: "status", "aria-live": "polite" });
  root.append(node);
  return (text) => setText(node, text);
}

/** Call `fn` once after the last of a burst of calls. */
export function debounce(fn, milliseconds) {
  let timer = 0;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(fn, milliseconds, ...values);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** Put text on the clipboard; false where the browser refuses. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
