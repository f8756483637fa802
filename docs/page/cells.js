// Code cells: the built source and output, brought alive. The editor takes the place of the
// highlighted source only when a reader wants to edit; running needs no editor.

import { firstDifference } from "./compare.js";
import { action, announcer, copyText, debounce, el, revealButtons, setText } from "./dom.js";
import { say, t } from "./messages.js";
import { Outputs } from "./outputs.js";
import { progress } from "./progress.js";
import { runtime } from "./runtime/client.js";
import { lessonPath } from "./site.js";

const SAVE_DELAY = 600; // ms after the last edit
const LONGEST_QUOTE = 200; // letters of a line in the words about a difference
const IS_MAC = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

let library = null;

/** Fetch the editor ahead of its first use. */
export function loadEditor() {
  library ??= import("./editor.js").catch((error) => {
    library = null; // the next try fetches anew
    throw error;
  });
  return library;
}

/** The words of the editor's own parts (search panel, completions). */
function phrases() {
  const names = ["Find", "Replace", "next", "previous", "all", "match case", "regexp", "by word",
    "replace", "replace all", "close", "Completions"];
  return Object.fromEntries(
    names.map((name) => [name, t(`page.editor.${name.toLowerCase().replaceAll(" ", "_")}`)]),
  );
}

/** A line as it is quoted in a sentence, which a screen reader reads out. */
function excerpt(line) {
  const letters = [...String(line ?? "").trim()];
  return letters.length > LONGEST_QUOTE
    ? `${letters.slice(0, LONGEST_QUOTE - 1).join("")}…`
    : letters.join("");
}

class Cell {
  constructor(section) {
    this.section = section;
    this.file = section.dataset.cell;
    this.lesson = lessonPath();
    this.builtSource = section.querySelector(".dp-cell-source").textContent.replace(/\n+$/, "");
    this.builtOutputs = JSON.parse(section.dataset.built);
    this.box = section.querySelector(".dp-source");
    this.place = section.querySelector(".dp-output");
    this.builtNodes = [...this.place.childNodes];
    this.compare = section.querySelector(".dp-compare");
    this.announce = announcer(section);
    this.source = this.keptSource();
    this.save = debounce(() => this.keepSource(), SAVE_DELAY);
    this.wireButtons();
    this.wireSource();
    this.setRunning(false);
    this.showEdited();
    section.dataset.ready = "";
  }

  wireButtons() {
    revealButtons(this.section);
    const work = {
      run: () => this.run(),
      "run-above": () => runThrough(this),
      stop: () => runtime.stop(),
      reset: () => this.reset(),
      copy: () => this.copy(),
    };
    for (const [name, fn] of Object.entries(work)) {
      action(this.section, name)?.addEventListener("click", fn);
    }
  }

  /** The source can be reached by Tab without being a trap: Enter or a click begins to edit. */
  wireSource() {
    const keys = t("page.cell.keys", { run: IS_MAC ? "⌘-Enter" : "Ctrl-Enter" });
    this.keys = el("p", { class: "dp-keys", id: `${this.section.id}-keys` }, el("span", {}, keys));
    this.box.after(this.keys);
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "group");
    this.box.setAttribute("aria-label", t("page.cell.source", { file: this.file }));
    this.box.addEventListener("keydown", (event) => {
      if (event.target !== this.box) return;
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter") this.run();
      else if (event.key === "Enter") this.edit();
      else return;
      event.preventDefault();
    });
    this.box.addEventListener("click", (event) => {
      // A click that ends a selection, or lands in the editor itself, is not a wish to edit.
      if (this.view || !document.getSelection()?.isCollapsed) return;
      this.edit({ x: event.clientX, y: event.clientY });
    });
    for (const inner of this.box.querySelectorAll("[tabindex]")) inner.removeAttribute("tabindex");
    if (this.source !== this.builtSource) this.mount().catch(() => this.showPlain());
  }

  /** An edited source without the editor: plain, but the reader's own. */
  showPlain() {
    this.box.querySelector("code, pre")?.replaceChildren(this.source);
  }

  async edit(point = null) {
    try {
      await this.mount();
    } catch {
      this.tell(t("page.cell.no_editor"));
      return;
    }
    if (point) {
      const anchor = this.view.posAtCoords(point, false);
      this.view.dispatch({ selection: { anchor } });
    }
    this.view.focus();
  }

  /** Put the editor where the highlighted source is, with the same type and the same room. */
  async mount() {
    if (this.view) return;
    const { makeEditor } = await loadEditor();
    if (this.view || !this.section.isConnected) return;
    this.view = makeEditor({
      source: this.source,
      run: () => this.run(),
      leave: () => this.box.focus(),
      changed: (source) => this.edited(source),
      phrases: phrases(),
      label: t("page.cell.editor", { file: this.file }),
      describedBy: this.keys.id,
    });
    // The group is the stop of the Tab key; the text field is entered by Enter or a click.
    this.view.contentDOM.tabIndex = -1;
    const code = this.box.querySelector("code") ?? this.box;
    // Not `font` in one: a browser gives it no value beside OpenType settings.
    const { fontFamily, fontSize, lineHeight, padding } = getComputedStyle(code);
    Object.assign(this.view.dom.style, { fontFamily, fontSize, lineHeight, padding });
    this.box.replaceChildren(this.view.dom);
    this.view.requestMeasure();
  }

  keptSource() {
    return progress.read(this.lesson).cells[this.file] ?? this.builtSource;
  }

  keepSource() {
    progress.change(this.lesson, (entry) => {
      if (this.source === this.builtSource) delete entry.cells[this.file];
      else entry.cells[this.file] = this.source;
    });
  }

  edited(source) {
    this.source = source;
    this.showEdited();
    this.save();
  }

  showEdited() {
    this.section.toggleAttribute("data-edited", this.source !== this.builtSource);
  }

  async setSource(source) {
    this.source = source;
    this.showEdited();
    if (!this.view) return;
    const { setSource } = await loadEditor();
    setSource(this.view, source);
  }

  setRunning(running) {
    this.running = running;
    this.section.toggleAttribute("data-running", running);
    const run = action(this.section, "run");
    const stop = action(this.section, "stop");
    run?.setAttribute("aria-disabled", String(running));
    if (!stop) return;
    // The focus of whoever stopped the cell must not be lost with the button.
    if (!running && document.activeElement === stop) run?.focus();
    stop.disabled = !running;
  }

  /** Run what is in the cell now. Resolves to true where it ended without an error. */
  async run() {
    if (this.running) return false;
    this.setRunning(true);
    this.tell(t("page.cell.running"));
    const outputs = new Pending(() => this.newOutputs());
    // Loading Python, fetching a package for an import: a reader should know what takes so long.
    const leave = runtime.subscribe(({ message }) => {
      this.tell(say(message) || t("page.cell.running"));
    });
    let end;
    try {
      end = await runtime.run({
        source: this.source,
        scope: this.lesson,
        filename: this.file,
        onOutput: (output) => outputs.add(output),
      });
    } catch (error) {
      end = { ok: false, lost: String(error.message) };
    }
    leave();
    this.finish(end, outputs);
    return end.ok === true;
  }

  /** The outputs of this run in the place of those before. */
  newOutputs() {
    this.outputs?.clear();
    this.outputs = new Outputs(this.place);
    return this.outputs;
  }

  finish(end, pending) {
    if (!this.section.isConnected) return;
    if (end.lost !== undefined) {
      // Nothing ran: what was there stays.
      pending.end();
      const reason = runtime.state === "failed" ? say(runtime.message) : end.lost;
      this.tell(t("page.cell.failed", { reason }));
      this.setRunning(false);
      return;
    }
    const outputs = pending.end(end.outputs);
    if (end.truncated) outputs.note(t("page.cell.truncated"));
    if (end.error) outputs.error(end.error);
    if (end.stopped) this.tell(t("page.cell.stopped"));
    else if (end.error) this.tell(t(this.errorKey(end.error)));
    else this.tellComparison(outputs.list);
    this.setRunning(false);
  }

  errorKey({ type }) {
    return type === "NameError" && cells.indexOf(this) > 0
      ? "page.cell.name_error"
      : "page.cell.error";
  }

  tellComparison(outputs) {
    const difference = firstDifference(outputs, this.builtOutputs);
    this.section.dataset.compare = difference ? "differs" : "same";
    if (!difference) {
      this.tell(t(this.source === this.builtSource ? "page.cell.same" : "page.cell.same_edited"));
      return;
    }
    const nothing = t("page.cell.nothing");
    const { case: where, mine, built, ...place } = difference;
    this.tell(
      t(`page.cell.differs.${where}`, {
        ...place,
        mine: excerpt(mine) || nothing,
        built: excerpt(built) || nothing,
      }),
    );
  }

  tell(text) {
    setText(this.compare, text);
  }

  /** The built source and output again; the reader's edits of this cell are forgotten. */
  async reset() {
    if (this.running) runtime.stop();
    this.save.cancel();
    await this.setSource(this.builtSource);
    this.save.cancel();
    this.keepSource();
    this.outputs?.clear();
    this.place.replaceChildren(...this.builtNodes);
    delete this.section.dataset.compare;
    this.tell(t("page.cell.was_reset"));
  }

  async copy() {
    this.announce((await copyText(this.source)) ? t("page.cell.copied") : t("page.cell.no_copy"));
  }

  restore() {
    if (this.running) return;
    this.setSource(this.keptSource());
  }

  dispose() {
    this.outputs?.clear();
    this.view?.destroy();
  }
}

/**
 * Outputs on their way: the old ones stay until the first new one is there, and a flood reaches
 * the page once a frame.
 */
class Pending {
  constructor(make) {
    this.make = make;
    this.waiting = [];
    this.shown = null;
    this.frame = 0;
  }

  add(output) {
    this.waiting.push(output);
    this.frame ||= requestAnimationFrame(() => this.flush());
  }

  flush() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (!this.waiting.length) return;
    this.shown ??= this.make();
    for (const output of this.waiting.splice(0)) this.shown.add(output);
  }

  /** Everything has come. `all` is the whole list, for a run that streamed nothing. */
  end(all) {
    this.flush();
    if (!all) return this.shown;
    this.shown ??= this.make();
    if (!this.shown.list.length) for (const output of all) this.shown.add(output);
    return this.shown;
  }
}

let cells = [];

/** Run every cell from the first to this one, from a clean start. */
async function runThrough(last) {
  await runtime.reset(last.lesson);
  for (const cell of cells.slice(0, cells.indexOf(last) + 1)) {
    if (!(await cell.run())) break;
  }
}

export function startCells() {
  for (const cell of cells) if (!cell.section.isConnected) cell.dispose();
  cells = cells.filter((cell) => cell.section.isConnected);
  for (const section of document.querySelectorAll(".dp-cell:not([data-ready])")) {
    cells.push(new Cell(section));
  }
}

/** Show anew what is kept, after an import or a reset of everything. */
export function restoreCells() {
  for (const cell of cells) if (cell.section.isConnected) cell.restore();
}

// The last keystrokes before a page goes are kept as well.
window.addEventListener("pagehide", () => {
  for (const cell of cells) cell.keepSource();
});
