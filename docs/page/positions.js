// A slider's positions: the lab lists the text of each, so a slider never writes a number that
// nobody would type, and the page needs no arithmetic of its own.

export class Positions {
  constructor(texts) {
    this.texts = texts;
    this.numbers = texts.map(Number);
  }

  /** The text that a position writes. */
  text(position) {
    return this.texts[position];
  }

  /** The position nearest to a typed number; null where the text is no number. */
  nearest(text) {
    const typed = Number(text);
    if (text.trim() === "" || !Number.isFinite(typed)) return null;
    // Beyond an end is at that end: next to 1e300 all positions are equally far in floating point.
    const value = Math.min(Math.max(typed, this.numbers[0]), this.numbers.at(-1));
    let best = 0;
    this.numbers.forEach((number, i) => {
      if (Math.abs(number - value) < Math.abs(this.numbers[best] - value)) best = i;
    });
    return best;
  }
}
