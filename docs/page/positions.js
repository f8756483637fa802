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
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value)) return null;
    let best = 0;
    this.numbers.forEach((number, i) => {
      if (Math.abs(number - value) < Math.abs(this.numbers[best] - value)) best = i;
    });
    return best;
  }
}
