// What counts as right. No page in here: plain values in, plain values out.

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Read a number as a reader types it: {value}, or {refused: case} with the reason. */
export function readNumber(typed) {
  const text = typed.trim().replaceAll("−", "-").replace(/\s*\/\s*/, "/");
  if (text === "") return { refused: "empty" };
  if (/[\uff01-\uff5e\u3000]/.test(text)) return { refused: "full-width" };
  if (text.includes(",")) return { refused: "comma" };
  if (text.endsWith("%")) return { refused: "percent" };
  if (/^\+?(?:inf|infinity|∞)$/i.test(text)) return { value: Infinity };
  const parts = text.split("/");
  if (parts.length > 2 || !parts.every((part) => DECIMAL.test(part))) return { refused: "number" };
  const [top, bottom = 1] = parts.map(Number);
  if (bottom === 0) return { refused: "zero-division" };
  return { value: top / bottom };
}

/** Is a number the expected one up to a relative tolerance? Zero is met by zero only. */
export function meets(value, expected, tolerance) {
  if (value === expected) return true;
  return Number.isFinite(expected) && Math.abs(value - expected) <= tolerance * Math.abs(expected);
}

/** Text as a reader may write it: case, width and spaces do not matter. */
export function plain(text) {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** How many significant digits a tolerance asks for. */
export function digitsFor(tolerance) {
  return Math.max(1, Math.ceil(-Math.log10(tolerance)));
}

/**
 * Judge an answer.
 *
 * `exercise` is {kind, answer, tolerance, foreseen: [value text, …]}; `given` is the typed text,
 * or the list of chosen options. The outcome is {right} with, where it applies, `refused` (the
 * text could not be read), `foreseen` (the position of the wrong answer that was foreseen) or
 * `close` (right but for the digits).
 */
export function judge({ kind, answer, tolerance = 1e-6, foreseen = [] }, given) {
  if (kind === "choice" || kind === "choices") {
    if (given.length === 0) return { right: false, refused: "nothing-chosen" };
    const wanted = new Set([answer].flat().map(String));
    return {
      right: wanted.size === given.length && given.every((option) => wanted.has(String(option))),
    };
  }
  if (kind === "text") {
    if (plain(given) === "") return { right: false, refused: "empty" };
    const right = [answer].flat().some((text) => plain(text) === plain(given));
    const wrong = foreseen.findIndex((text) => plain(text) === plain(given));
    return { right, ...(!right && wrong >= 0 ? { foreseen: wrong } : {}) };
  }
  const read = readNumber(given);
  if (read.refused) return { right: false, refused: read.refused };
  const expected = readNumber(String(answer)).value;
  if (meets(read.value, expected, tolerance)) return { right: true };
  const wrong = foreseen.findIndex((text) =>
    meets(read.value, readNumber(String(text)).value, Math.max(tolerance, 1e-6)),
  );
  if (wrong >= 0) return { right: false, foreseen: wrong };
  return { right: false, close: meets(read.value, expected, 0.005) };
}
