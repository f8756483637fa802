// One worker with one Python in it, from its start to its end.

import { BrowserIO, get } from "./io.js";
import { fetchParts } from "./parts.js";
import { compileCore } from "./wasm.js";

// Shared by all engines of a visit: the manifest and the compiled core.
const shared = {};

/** What a promise gives, kept for all; what failed is tried anew by the next one. */
function once(name, make) {
  if (!shared[name]) {
    const made = make();
    shared[name] = made;
    made.catch(() => {
      if (shared[name] === made) delete shared[name];
    });
  }
  return shared[name];
}

export class Engine {
  /**
   * @param site    what the build tells the page
   * @param mode    "packed" or "stock"
   * @param listen  is told what the worker says (worker.js)
   */
  constructor(site, mode, listen) {
    this.listen = listen;
    this.isReady = false;
    this.isOver = false;
    this.lostNews = null;
    this.worker = null;
    this.open(site, mode).catch((problem) => {
      const reason = problem.name === "NetworkError" ? "network" : "worker";
      this.hear({ kind: "lost", case: reason, detail: problem.message });
    });
  }

  async open(site, mode) {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault?.();
      const detail = event.message || "worker.js"; // a script that did not come has no message
      if (this.isReady) this.hear({ kind: "crash", case: "crash", detail });
      else this.hear({ kind: "lost", case: "worker", detail });
    };
    const base = new URL(".", new URL(site.manifest, site.assets)).href;
    const manifest = await once("manifest", async () =>
      (await get(new URL(site.manifest, site.assets).href)).json(),
    );
    this.send({ kind: "load", base, manifest, mode });
    if (mode === "packed") this.sendParts(base, manifest);
  }

  sendParts(base, manifest) {
    const parts = fetchParts(
      new BrowserIO(base),
      manifest,
      () => once("core", () => compileCore(base, manifest.core)),
      (news) => this.hear({ kind: "progress", news }),
    );
    for (const [name, part] of Object.entries(parts)) {
      part.then(
        // A pack's bytes move to the worker; the compiled core is shared.
        (value) => this.send({ kind: "part", name, value }, value.buffer ? [value.buffer] : []),
        (problem) => this.send({ kind: "part", name, problem: problem.reason ?? problem.message }),
      );
    }
  }

  hear(news) {
    if (this.isOver) return;
    if (news.kind === "ready") this.isReady = true;
    // A spare has no listener yet who would act on it.
    if (news.kind === "lost") this.lostNews = news;
    this.listen(news);
  }

  send(job, moved = []) {
    if (!this.isOver) this.worker.postMessage(job, moved);
  }

  /** End the worker at once, whatever it does. */
  end() {
    this.isOver = true;
    this.isReady = false;
    this.worker?.terminate();
  }
}
