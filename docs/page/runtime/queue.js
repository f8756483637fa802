// What waits for Python, in order. Nothing here knows workers: an entry is a job and a promise.

let count = 0;

class Entry {
  constructor(job, { latest, again = false, onOutput } = {}) {
    this.id = count += 1;
    this.job = job;
    this.latest = latest;
    this.again = again; // may it be done once more by another Python?
    this.onOutput = onOutput;
    this.begun = performance.now();
    this.shown = [];
    this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  outputs(batch) {
    this.shown.push(...batch);
    for (const output of batch) this.onOutput?.(output);
  }

  finish(answer) {
    this.resolve(this.job.kind === "run" ? this.ended(answer) : answer);
  }

  fail(detail) {
    this.reject(new Error(detail));
  }

  /** Python was stopped or lost while it did this. */
  lose(key) {
    if (this.job.kind !== "run" && this.job.kind !== "check") {
      this.resolve({ stopped: true });
      return;
    }
    const stopped = key === "page.runtime.stopped";
    const error = stopped ? null : { type: "Crash", message: { message: key }, trace: "" };
    this.resolve(this.ended({ ok: false, error, truncated: false, stopped }));
  }

  ended(answer) {
    const ms = performance.now() - this.begun;
    return { stopped: false, ...answer, outputs: this.shown, ms };
  }
}

export class Queue {
  constructor() {
    this.entries = [];
  }

  /** Let a job wait. An older one with the same `latest` that still waits is not done any more. */
  add(job, options) {
    const entry = new Entry(job, options);
    if (entry.latest !== undefined) {
      this.drop(
        ({ latest }) => latest === entry.latest,
        (older) => older.resolve({ superseded: true }),
      );
    }
    this.entries.push(entry);
    return entry.promise;
  }

  take() {
    return this.entries.shift();
  }

  /** A job was lost with its Python: a lab's goes first to the next one, once; others end here. */
  giveBack(entry, key) {
    const isOutdone = entry.latest !== undefined && this.entries.some((e) => e.latest === entry.latest);
    if (isOutdone) {
      entry.resolve({ superseded: true });
    } else if (entry.again) {
      entry.again = false;
      this.entries.unshift(entry);
    } else {
      entry.lose(key);
    }
  }

  /** The reader has stopped: cells that wait are not run. */
  stopCells() {
    this.drop(
      ({ job }) => job.kind !== "lab",
      (entry) => entry.lose("page.runtime.stopped"),
    );
  }

  failAll(detail) {
    this.drop(
      () => true,
      (entry) => entry.fail(detail),
    );
  }

  drop(test, end) {
    const kept = [];
    for (const entry of this.entries) {
      if (test(entry)) end(entry);
      else kept.push(entry);
    }
    this.entries = kept;
  }
}
