// The worker that runs Python: one job at a time, in the order in which the page sends them.
//
// In:  {kind: "load", base, manifest, mode}
//      {kind: "part", name, value}                  a part of the packed start, or {problem}
//      {kind: "lab" | "run" | "check" | "reset", id, …}
// Out: {kind: "progress", news}                     {what, loaded, total}, null when all is there
//      {kind: "ready"} · {kind: "lost", case, detail}
//      {kind: "outputs", id, outputs} · {kind: "done", id, answer} · {kind: "error", id, detail}
//      {kind: "crash", id, case, detail}            Python is gone; the page ends this worker

import { BrowserIO, NetworkError } from "./io.js";
import { start } from "./loader.js";
import { awaitParts, CORE } from "./parts.js";

let deliver = null;
let started = null;
let python = null;
let page = null;
let PythonError = null; // kept: once Python is gone, asking Pyodide for anything is an error

const jobs = {
  async lab({ name, values }) {
    return page.lab(name, JSON.stringify(values));
  },
  async run({ id, source, scope, filename }) {
    await fetchImports(source);
    return page.cell(source, scope, filename, (outputs) =>
      postMessage({ kind: "outputs", id, outputs }),
    );
  },
  async check({ source, scope, expression }) {
    await fetchImports(source);
    return page.check(source, scope, expression);
  },
  async reset({ scope }) {
    page.reset(scope);
    return "{}";
  },
};

async function fetchImports(source) {
  try {
    await started.prepare(JSON.parse(page.imports(source)));
  } catch (problem) {
    // The import statement itself says so, with the reader's line.
    if (!(problem instanceof NetworkError)) throw problem;
    postMessage({ kind: "progress", news: null });
  }
}

async function load({ base, manifest, mode }) {
  const lost = (name, problem) => new NetworkError(manifest.packs[name]?.file ?? name, problem);
  const awaited = awaitParts([CORE, ...manifest.first], lost);
  ({ deliver } = awaited);
  try {
    started = await start({
      io: new BrowserIO(base),
      manifest,
      mode,
      parts: awaited.parts,
      tell: (news) => postMessage({ kind: "progress", news }),
    });
    python = started.python;
    ({ PythonError } = python.ffi);
    page = python.pyimport("dpdocs_page.worker");
    postMessage({ kind: "ready" });
  } catch (problem) {
    const lost = problem instanceof NetworkError ? "network" : "start";
    postMessage({ kind: "lost", case: lost, detail: String(problem?.message ?? problem) });
  }
}

async function work(job) {
  const { id } = job;
  try {
    postMessage({ kind: "done", id, answer: await jobs[job.kind](job) });
  } catch (problem) {
    // An error of Python's is an answer; anything else has ended Python.
    if (problem instanceof PythonError && !isGone()) {
      postMessage({ kind: "error", id, detail: lastLine(problem.message) });
    } else {
      postMessage({ kind: "crash", id, ...describeCrash(problem) });
    }
  }
}

/** Has Python ended itself? It then refuses every further call. */
function isGone() {
  try {
    python.runPython("0");
    return false;
  } catch {
    return true;
  }
}

function lastLine(text) {
  return text.trimEnd().split("\n").at(-1);
}

function describeCrash(problem) {
  const detail = String(problem?.message ?? problem);
  if (/call stack|recursion|stack overflow/i.test(detail)) return { case: "recursion", detail };
  if (/memory|allocat/i.test(detail)) return { case: "memory", detail };
  return { case: "crash", detail };
}

let queue = Promise.resolve();

self.onmessage = ({ data }) => {
  if (data.kind === "part") deliver(data);
  else if (data.kind === "load") queue = load(data);
  else queue = queue.then(() => work(data));
};
