// What a cell prints and shows. Everything is put in as text or made as nodes, never as HTML.

import { el } from "./dom.js";
import { cellFigure } from "./figures.js";
import { say, t } from "./messages.js";

const MOST_TEXT = 200_000; // characters on the page; the worker stops a flood long before

export class Outputs {
  constructor(place) {
    this.place = place;
    this.clear();
  }

  clear() {
    this.figures?.forEach((figure) => figure.dispose());
    this.figures = [];
    this.list = [];
    this.length = 0;
    this.text = null;
    this.place.replaceChildren();
  }

  add(output) {
    this.list.push(output);
    if (output.kind === "text") this.addText(output);
    else {
      this.text = null;
      this.place.append(this.node(output));
    }
  }

  /** Pieces of one stream go on in one block. */
  addText({ stream, text }) {
    if (this.length >= MOST_TEXT) return;
    this.length += text.length;
    if (this.text?.dataset.stream !== stream) {
      this.text = el("pre", { class: "dp-text", "data-stream": stream, tabindex: "0" });
      this.place.append(this.text);
    }
    this.text.append(text);
    if (this.length >= MOST_TEXT) this.note(t("page.cell.too_long"));
  }

  node(output) {
    if (output.kind === "value") return el("pre", { class: "dp-value", tabindex: "0" }, output.text);
    if (output.kind === "table") return table(output);
    if (output.kind === "image") {
      const source = `data:image/png;base64,${output.png}`;
      return el("img", { class: "dp-image", src: source, alt: output.alt ?? t("page.figure.label") });
    }
    const figure = cellFigure(output.spec);
    this.figures.push(figure);
    return figure.element;
  }

  note(text) {
    this.text = null;
    this.place.append(el("p", { class: "dp-cell-note" }, text));
  }

  /** An error of the reader's code, or the loss of Python, whose words are ours. */
  error({ type, message, trace }) {
    this.text = null;
    const words = typeof message === "string" ? message : say(message);
    this.place.append(
      el(
        "div",
        { class: "dp-error" },
        el("p", {}, el("strong", {}, type), words ? `: ${words}` : ""),
        trace ? el("pre", { class: "dp-trace", tabindex: "0" }, trace) : null,
      ),
    );
  }
}

function table({ columns, rows }) {
  const head = el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, String(name))));
  const body = rows.map((row) =>
    el("tr", {}, ...row.map((entry) => el("td", {}, entry === null ? "" : String(entry)))),
  );
  return el(
    "div",
    { class: "dp-table", tabindex: "0", role: "region", "aria-label": t("page.cell.table") },
    el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)),
  );
}
