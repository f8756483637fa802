// Python for the whole visit: one worker behind it, and one more where there is room for a spare.
//
// The states are "idle" (nothing loaded), "loading" (Python, or modules that a job needs, are on
// their way), "ready", "busy" (a job runs), "restarting" (Python was stopped or has crashed, another
// one is on its way) and "failed".

import { siteData } from "../site.js";
import { Engine } from "./engine.js";
import { Queue } from "./queue.js";

const SPARE_DELAY = 1000; // milliseconds: a cell that ends by then has needed no spare

class Runtime {
  constructor() {
    this.state = "idle";
    this.message = null;
    this.note = null; // what a reader should know until the next cell has run
    this.loaded = 0;
    this.total = 0;
    this.listeners = new Set();
    this.queue = new Queue();
    this.engine = null;
    this.spare = null;
    this.running = null;
    this.mode = askedMode();
  }

  /** Be told of every change, and of the state as it is: {state, message, loaded, total}. */
  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.news());
    return () => this.listeners.delete(listener);
  }

  /** Begin to load Python. Does nothing where that has begun; after a failure it tries again. */
  warm() {
    if (this.engine || this.state === "restarting") return;
    this.begin("loading");
  }

  /**
   * Compute a lab. Resolves to {result}, {refused}, or {superseded: true} where a newer question
   * with the same `latest` was asked before this one was begun.
   */
  lab(name, values, { latest } = {}) {
    return this.ask({ kind: "lab", name, values: { ...values } }, { latest, again: true });
  }

  /** Run a cell. Resolves to {ok, outputs, error, truncated, ms, stopped}. */
  run({ source, scope, filename, onOutput }) {
    return this.ask({ kind: "run", source, scope, filename }, { onOutput });
  }

  /** Run an answer and evaluate an expression on its names: {ok, value, error, …}. */
  check({ source, scope, expression }) {
    return this.ask({ kind: "check", source, scope, expression });
  }

  /** Forget the names of a page's cells. */
  reset(scope) {
    if (!this.engine) return Promise.resolve({});
    return this.ask({ kind: "reset", scope }, { again: true });
  }

  /** End what runs, at once. Names of cells are lost; labs that wait are computed by the next one. */
  stop() {
    this.queue.stopCells();
    if (this.running) this.replace("page.runtime.stopped");
  }

  // --- jobs -----------------------------------------------------------------------------------

  ask(job, options = {}) {
    const answer = this.queue.add(job, options);
    this.warm();
    this.next();
    return answer;
  }

  /** Give the engine the next job, if it has none. */
  next() {
    if (this.running || !this.engine?.isReady) return;
    this.running = this.queue.take();
    if (!this.running) {
      this.change("ready", this.note);
      return;
    }
    const { job } = this.running;
    if (job.kind === "run") {
      this.note = null;
      this.planSpare();
    }
    this.change("busy", this.note);
    this.running.begun = performance.now();
    this.engine.send({ ...job, id: this.running.id });
  }

  // --- what the engine says --------------------------------------------------------------------

  heard(engine, { kind, id, ...news }) {
    if (engine !== this.engine) return;
    if (kind === "progress") this.progress(news.news);
    else if (kind === "ready") this.next();
    else if (kind === "lost") this.lost(news);
    else if (kind === "crash") this.replace(`page.runtime.crashed.${news.case}`);
    else if (this.running?.id === id) this.answered(kind, news);
  }

  answered(kind, { outputs, answer, detail }) {
    const entry = this.running;
    if (kind === "outputs") {
      entry.outputs(JSON.parse(outputs));
      return;
    }
    this.running = null;
    if (kind === "done") entry.finish(JSON.parse(answer));
    else entry.fail(detail);
    this.next();
  }

  progress(news) {
    if (!news) {
      if (this.running) this.change("busy", this.note);
      else if (this.state === "loading") this.change("loading", { message: "page.runtime.starting" });
      return;
    }
    const { what, loaded, total } = news;
    const message = total
      ? { message: "page.runtime.loading", values: sizes(what, loaded, total) }
      : { message: "page.runtime.loading_what", values: { what } };
    Object.assign(this, { loaded, total });
    // A job whose modules are on their way is told like a start.
    this.change(this.running ? "loading" : this.state, message);
  }

  /** The engine could not be started. */
  lost({ case: reason, detail }) {
    this.engine.end();
    this.engine = null;
    if (reason === "start" && this.mode === "packed") {
      // The quick start leans on the inside of Pyodide; the slow one does not.
      console.warn(`dpdocs: the packed start failed (${detail}); starting as Pyodide does`);
      this.mode = "stock";
      this.begin(this.state);
      return;
    }
    this.fail(`page.runtime.failed.${reason}`, { detail });
  }

  fail(key, values = {}) {
    this.change("failed", { message: key, values });
    this.running?.fail(key);
    this.running = null;
    this.queue.failAll(key);
  }

  // --- engines ---------------------------------------------------------------------------------

  begin(state) {
    const refusal = whyNot();
    if (refusal) {
      this.fail(`page.runtime.failed.${refusal}`);
      return;
    }
    this.loaded = 0;
    this.total = 0;
    this.change(state, this.note ?? { message: "page.runtime.starting" });
    this.engine = this.makeEngine();
  }

  makeEngine() {
    const engine = new Engine(siteData(), this.mode, (news) => this.heard(engine, news));
    return engine;
  }

  /** Python is gone or shall go: put the spare in its place, or start another one. */
  replace(key) {
    this.engine.end();
    const { running } = this;
    this.running = null;
    if (running) this.queue.giveBack(running, key);
    this.note = { message: key };
    this.engine = this.spare;
    this.spare = null;
    if (!this.engine) {
      this.begin("restarting");
      return;
    }
    this.change("restarting", this.note);
    if (this.engine.lostNews) this.lost(this.engine.lostNews);
    else this.next();
  }

  /** A cell runs: have another Python ready for the case that it must be stopped. */
  planSpare() {
    clearTimeout(this.planned);
    if (this.spare || !hasRoom()) return;
    this.planned = setTimeout(() => {
      if (!this.spare && this.engine?.isReady) this.spare = this.makeEngine();
    }, SPARE_DELAY);
  }

  // --- telling ---------------------------------------------------------------------------------

  news() {
    const { state, message, loaded, total } = this;
    return { state, message, loaded, total };
  }

  change(state, message) {
    if (state === this.state && same(message, this.message)) return;
    this.state = state;
    this.message = message;
    for (const listener of this.listeners) listener(this.news());
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function sizes(what, loaded, total) {
  const text = (bytes) => (bytes / 1e6).toFixed(1);
  return { what, loaded: text(Math.min(loaded, total)), total: text(total) };
}

/** `?runtime=stock` in the page's address starts Python as Pyodide itself would. */
function askedMode() {
  const asked = new URLSearchParams(globalThis.location?.search).get("runtime");
  return asked === "stock" ? "stock" : "packed";
}

/** What this browser lacks. */
function whyNot() {
  if (location.protocol === "file:") return "file";
  if (typeof Worker !== "function") return "worker";
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    return "webassembly";
  }
  return null;
}

/** May a second Python take another hundred megabytes of memory? */
function hasRoom() {
  const { deviceMemory, connection } = navigator;
  if (deviceMemory !== undefined && deviceMemory < 4) return false;
  if (connection?.saveData) return false;
  return !matchMedia("(pointer: coarse)").matches;
}

export const runtime = new Runtime();
