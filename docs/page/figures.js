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

// The two widths of the built drawings (scripts/pages/figures.py) and where the style sheet changes
// from one to the other. A live drawing has the width of the built one in its place and is scaled
// like it, so that nothing moves and no letter changes its size when one replaces the other.
const WIDE = 620;
const NARROW = 340;
const NARROW_UP_TO = 27; // rem

function drawingWidth(place) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return place.clientWidth > NARROW_UP_TO * rem ? WIDE : NARROW;
}

/** One place where figures are drawn: holds the view, follows the width. */
class Canvas {
  constructor(place) {
    this.place = place;
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
    const width = this.width();
    const holder = el("div", { class: "dp-drawing" });
    const view = await drawInto(holder, complete(spec, data, width));
    this.drop();
    Object.assign(this, { view, text, drawn: width });
    this.place.replaceChildren(holder);
    if (isFluid(spec)) this.follow();
  }

  /** The width to draw at; the place may be asked before it is shown. */
  width() {
    const { hidden } = this.place;
    this.place.hidden = false;
    const width = drawingWidth(this.place);
    this.place.hidden = hidden;
    return width;
  }

  follow() {
    this.observer = new ResizeObserver(() => {
      const width = drawingWidth(this.place);
      if (!this.place.clientWidth || width === this.drawn) return;
      this.drawn = width;
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
    this.canvas = new Canvas(this.live);
    this.next = null;
    this.drawing = null;
  }

  /** Has the live drawing replaced the built one, or is it about to? */
  get isLive() {
    return this.drawing !== null || !this.live.hidden;
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
  const canvas = new Canvas(place);
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
