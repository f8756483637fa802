// Is the reader's output the built one? Text is compared as text, the numbers in it as numbers:
// the browser's arithmetic may round the last digit another way and still be right.

const TOLERANCE = 1e-9; // relative
const NUMBER = /[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;

/** Are two numbers, given as text or as numbers, the same up to rounding? */
export function sameNumber(one, other) {
  if (one === other) return true;
  const [a, b] = [one, other].map((text) => String(text).replace("−", "-"));
  // Whole numbers are exact in Python, so no digit may differ.
  if (/^[-+]?\d+$/.test(a) && /^[-+]?\d+$/.test(b)) return BigInt(a) === BigInt(b);
  const [x, y] = [Number(a), Number(b)];
  return x === y || Math.abs(x - y) <= TOLERANCE * Math.max(Math.abs(x), Math.abs(y));
}

/** Are two lines of text the same, numbers as numbers and spaces as spaces? */
export function sameText(one, other) {
  if (one === other) return true;
  const words = (text) => text.replace(NUMBER, "\u0000").replace(/\s+/g, " ").trim();
  if (words(one) !== words(other)) return false;
  const [a, b] = [one.match(NUMBER) ?? [], other.match(NUMBER) ?? []];
  return a.length === b.length && a.every((number, i) => sameNumber(number, b[i]));
}

function sameData(one, other) {
  if (typeof one === "number" && typeof other === "number") return sameNumber(one, other);
  if (typeof one === "string" && typeof other === "string") return sameText(one, other);
  if (one && other && typeof one === "object" && typeof other === "object") {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => key in other && sameData(one[key], other[key]))
    );
  }
  return one === other;
}

/** Neighbouring pieces of one stream become one piece, without the space at the end. */
function joined(outputs) {
  const whole = [];
  for (const output of outputs) {
    const last = whole.at(-1);
    if (output.kind === "text" && last?.kind === "text" && last.stream === output.stream) {
      last.text += output.text;
    } else {
      whole.push({ ...output });
    }
  }
  for (const output of whole) {
    if (output.kind === "text") output.text = output.text.trimEnd();
  }
  return whole.filter((output) => output.kind !== "text" || output.text !== "");
}

function firstLine(mine, built) {
  const [a, b] = [mine.split("\n"), built.split("\n")];
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    if (!sameText(a[i] ?? "", b[i] ?? "") || a[i] === undefined || b[i] === undefined) {
      return { case: "line", line: i + 1, mine: a[i] ?? null, built: b[i] ?? null };
    }
  }
  return null;
}

function firstEntry(mine, built) {
  const [a, b] = [mine, built].map(({ columns, rows }) => [columns, ...rows]);
  for (let row = 0; row < Math.max(a.length, b.length); row += 1) {
    const width = Math.max(a[row]?.length ?? 0, b[row]?.length ?? 0);
    for (let column = 0; column < width; column += 1) {
      const [x, y] = [a[row]?.[column], b[row]?.[column]].map((entry) => entry ?? null);
      if (x === y || (x !== null && y !== null && sameText(String(x), String(y)))) continue;
      return { case: "entry", row, column: column + 1, mine: x, built: y };
    }
  }
  return null;
}

/** The first difference between two lists of outputs, or null where there is none. */
export function firstDifference(mine, built) {
  const [a, b] = [joined(mine), joined(built)];
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [x, y] = [a[i], b[i]];
    if (!x || !y || x.kind !== y.kind || x.stream !== y.stream) {
      return { case: "output", output: i + 1, mine: x?.kind ?? null, built: y?.kind ?? null };
    }
    let difference = null;
    if (x.kind === "text" || x.kind === "value") difference = firstLine(x.text, y.text);
    else if (x.kind === "table") difference = firstEntry(x, y);
    // The pixels of an image depend on the fonts of a machine; what it shows is in its text.
    else if (x.kind === "image") difference = x.alt === y.alt ? null : { case: "picture" };
    else if (!sameData(x.spec, y.spec)) difference = { case: "picture" };
    if (difference) return { ...difference, output: i + 1 };
  }
  return null;
}
