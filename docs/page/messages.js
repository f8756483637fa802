// The words of a page. Its twin for the built page is scripts/pages/messages.py.

let catalogue = {};

export function setCatalogue(messages) {
  catalogue = messages;
}

export async function loadMessages(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  setCatalogue(await answer.json());
}

/** The message of a key, its {placeholders} filled in. */
export function t(key, values = {}) {
  const text = catalogue[key];
  // The build refuses a missing key; should one slip through, its name is better than nothing.
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values && values[name] !== null ? String(translate(values[name])) : whole,
  );
}

export function has(key) {
  return key in catalogue;
}

/** A string that may be a message key ("@lab.title") or a colour ("@colour.d"). */
export function words(text) {
  if (!text.startsWith("@")) return text;
  if (text.startsWith("@colour.")) return `var(--dp-${text.slice(8)})`;
  return t(text.slice(1));
}

const isMessage = (data) =>
  "message" in data && Object.keys(data).every((key) => key === "message" || key === "values");

/** A copy of plain data, words in place of every "@key" and every {message, values}. */
export function translate(data) {
  if (typeof data === "string") return words(data);
  if (Array.isArray(data)) return data.map(translate);
  if (data && typeof data === "object") {
    if (isMessage(data)) return t(data.message.replace(/^@/, ""), data.values ?? {});
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, translate(value)]),
    );
  }
  return data;
}

/** The text of a message as labs write it, "" for none. */
export function say(message) {
  return message === null || message === undefined ? "" : String(translate(message));
}
