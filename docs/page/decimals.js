// Sliders hold positions, labs hold decimals. A slider writes the shortest decimal that is
// nearer to its position than to the next one, so the text field never fills with digits.

/** The shortest decimal strictly between two bounds, nearest to `value`. */
export function shortest(value, lower, upper) {
  if (lower < 0 && upper > 0 && Math.abs(value) < Math.min(-lower, upper)) return "0";
  for (let digits = 1; digits <= 17; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (candidate > lower && candidate < upper) return String(candidate);
  }
  return String(value);
}

/**
 * What a range input stands for. Positions run from `min` to `max` of the input; values from
 * `low` to `high`: in equal steps ("linear"), in equal ratios ("log"), or with 0 at the first
 * position and equal ratios from `least` on ("log-from-zero"). `low`, `high` and `least` are
 * texts, and are written as they are at their positions.
 */
export class Scale {
  constructor({ min = 0, max, step = 1, low, high, least = null, scale = "linear", whole = false }) {
    Object.assign(this, { min, max, step, low, high, least, scale, whole });
  }

  static of(input) {
    const { low, high, least, scale, kind } = input.dataset;
    return new Scale({
      min: Number(input.min || 0),
      max: Number(input.max || 100),
      step: Number(input.step) || 1,
      low: low ?? input.min,
      high: high ?? input.max,
      least: least || null,
      scale,
      whole: kind === "whole",
    });
  }

  /** The ends of the part that is continuous: all of it, or all but the zero at its start. */
  get start() {
    return this.scale === "log-from-zero"
      ? { position: this.min + this.step, text: this.least }
      : { position: this.min, text: this.low };
  }

  /** The exact value under a position of the continuous part. */
  at(position) {
    const { position: first, text } = this.start;
    const [low, high] = [Number(text), Number(this.high)];
    const part = (position - first) / (this.max - first);
    return this.scale === "linear" ? low + (high - low) * part : low * (high / low) ** part;
  }

  /** The text that a position writes. */
  text(position) {
    if (position <= this.min) return this.low;
    if (position >= this.max) return this.high;
    if (position === this.start.position) return this.start.text;
    const value = this.at(position);
    if (this.whole) return String(Math.round(value));
    const below = (value + this.at(position - this.step)) / 2;
    const above = (value + this.at(position + this.step)) / 2;
    return shortest(value, below, above);
  }

  /** The position nearest to a typed value; null where the text is no number. */
  position(text) {
    const value = Number(text);
    if (String(text).trim() === "" || !Number.isFinite(value)) return null;
    const { position: first, text: start } = this.start;
    const [low, high] = [Number(start), Number(this.high)];
    if (this.scale !== "linear" && value < low) {
      return value > 0 && value * value > Number(this.low) * low ? first : this.min;
    }
    const part =
      this.scale === "linear"
        ? (value - low) / (high - low)
        : Math.log(value / low) / Math.log(high / low);
    return first + Math.min(1, Math.max(0, part)) * (this.max - first);
  }
}
