// What the packed start needs, fetched side by side: the first packs and, in a browser, the core.
// The page fetches them while its worker is still being made, and inflates them, so that the
// worker's time is Python's.

export const CORE = "pyodide.asm.wasm";

/**
 * Promises of the parts, by name: the bytes of each first pack, and the compiled core.
 *
 * @param io       files of the runtime (io.js; under Node scripts/runtime/node_io.mjs)
 * @param compile  returns a promise of the compiled core; none where Pyodide's loader reads it
 * @param tell     is told how much has come: {what, loaded, total}
 */
export function fetchParts(io, { core, packs, first }, compile, tell = () => {}) {
  const total = first.reduce((sum, pack) => sum + packs[pack].transfer, core.transfer);
  let loaded = 0;
  const count = (bytes) => {
    loaded += bytes;
    tell({ what: "Python, NumPy", loaded, total });
  };
  const parts = {};
  if (compile) {
    parts[CORE] = compile().then((module) => {
      count(core.transfer);
      return module;
    });
  }
  for (const pack of first) parts[pack] = io.bytes(packs[pack].file, count);
  // Whoever awaits a part is told; no one may be waiting yet.
  for (const part of Object.values(parts)) part.catch(() => {});
  return parts;
}

/** Parts that arrive in messages: promises to await, and `deliver`, which settles one. */
export function awaitParts(names, asError) {
  const parts = {};
  const ends = {};
  for (const name of names) {
    parts[name] = new Promise((resolve, reject) => {
      ends[name] = { resolve, reject };
    });
    parts[name].catch(() => {});
  }
  const deliver = ({ name, value, problem }) =>
    problem === undefined ? ends[name].resolve(value) : ends[name].reject(asError(name, problem));
  return { parts, deliver };
}
