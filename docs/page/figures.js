// Figures that live: the specification drawn by Vega in place of the built drawing. While only
// numbers change the view stays and gets new rows; a new specification gets a new view.

import config from "./figure-config.json";
import { el, setText } from "./dom.js";
import { say, t, translate } from "./messages.js";

let library = null;

/** Fetch the drawing library ahead of its first use. */
export function loadVega() {
  library ??= import("./vega.js").catch((error) => {
    library = null; // the next figure tries again
    throw error;
  });
  return library;
}

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function merged(base, over) {
  const both = { ...base };
  for (const [name, item] of Object.entries(over)) {
    both[name] = isPlain(item) && isPlain(both[name]) ? merged(both[name], item) : item;
  }
  return both;
}

const COMPOSED = ["hconcat", "vconcat", "concat", "facet", "repeat"];

/** Can a specification be as wide as its place? Compositions have the sizes of their parts. */
function isFluid(spec) {
  return (
    !COMPOSED.some((name) => name in spec) &&
    !("row" in (spec.encoding ?? {}) || "column" in (spec.encoding ?? {})) &&
    (spec.width === undefined || spec.width === "container")
  );
}

/** The specification with its rows, its width and the look of the site. */
function complete(spec, data, width) {
  const whole = {
    ...spec,
    background: null,
    config: merged(translate(config), spec.config ?? {}),
  };
  if (data) whole.datasets = { ...spec.datasets, ...data };
  if (isFluid(spec)) {
    whole.width = width;
    whole.autosize = spec.autosize ?? { type: "fit-x", contains: "padding" };
  }
  return whole;
}

/** One place where figures are drawn: holds the view, follows the width. */
class Canvas {
  constructor(place, widthOf) {
    this.place = place;
    this.widthOf = widthOf;
    this.view = null;
    this.text = null;
    this.observer = null;
  }

  /** Draw; only the rows are exchanged where the specification is the drawn one. */
  async draw(spec, data) {
    const text = JSON.stringify(spec);
    if (this.view && text === this.text) {
      for (const [name, rows] of Object.entries(data ?? {})) this.view.data(name, rows);
      await this.view.runAsync();
      return;
    }
    const { drawInto } = await loadVega();
    const width = this.widthOf();
    const holder = el("div", { class: "dp-drawing" });
    const view = await drawInto(holder, complete(spec, data, width));
    this.drop();
    Object.assign(this, { view, text, width });
    this.place.replaceChildren(holder);
    if (isFluid(spec)) this.follow();
  }

  follow() {
    this.observer = new ResizeObserver(() => {
      const width = this.widthOf();
      if (!width || Math.abs(width - this.width) < 1) return;
      this.width = width;
      this.view?.width(width).runAsync();
    });
    this.observer.observe(this.place);
  }

  drop() {
    this.observer?.disconnect();
    this.view?.finalize();
    this.observer = this.view = this.text = null;
  }
}

/** A lab's figure: starts as the built drawing, which stays until the live one is there. */
export class Figure {
  constructor(element) {
    this.element = element;
    this.live = element.querySelector(".dp-figure-live");
    this.canvas = new Canvas(this.live, () => this.width());
    this.next = null;
    this.drawing = null;
  }

  /** Has the live drawing replaced the built one, or is it about to? */
  get isLive() {
    return this.drawing !== null || !this.live.hidden;
  }

  /** The width of the live drawing's place, which is asked for before it is shown. */
  width() {
    const { hidden } = this.live;
    this.live.hidden = false;
    const width = this.live.clientWidth;
    this.live.hidden = hidden;
    return width;
  }

  /** Draw a figure of a lab's result; of several waiting ones only the newest is drawn. */
  draw(figure) {
    this.next = figure;
    this.drawing ??= this.loop().finally(() => {
      this.drawing = null;
    });
    return this.drawing;
  }

  async loop() {
    while (this.next) {
      const figure = this.next;
      this.next = null;
      await this.canvas.draw(translate(figure.spec), translate(figure.data));
      if (!this.element.isConnected) return this.dispose();
      this.swap();
      const summary = say(figure.summary);
      setText(this.element.querySelector("figcaption"), say(figure.title));
      setText(this.element.querySelector(".dp-summary"), summary);
      this.live.setAttribute("aria-label", summary);
    }
  }

  swap() {
    if (!this.live.hidden) return;
    this.live.hidden = false;
    this.live.setAttribute("role", "img");
    for (const built of this.element.querySelectorAll(".dp-figure-built")) built.hidden = true;
  }

  dispose() {
    this.canvas.drop();
  }
}

/** A figure that a cell made. Returns its element and a function that ends it. */
export function cellFigure(spec) {
  const place = el("div", { class: "dp-figure-live" });
  const element = el("figure", { class: "dp-figure dp-figure-cell" }, place);
  const canvas = new Canvas(place, () => place.clientWidth);
  const words = typeof spec?.description === "string" ? spec.description : t("page.figure.label");
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", words);
  // One frame later the place is in the page and has its width.
  requestAnimationFrame(() => {
    canvas.draw(spec, null).catch((error) => {
      place.removeAttribute("role");
      place.replaceChildren(
        el("p", { class: "dp-error" }, t("page.figure.failed", { reason: String(error.message) })),
      );
    });
  });
  return { element, dispose: () => canvas.drop() };
}
