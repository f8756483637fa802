// Start Python: from packs, which is fast, or as Pyodide itself would. Both give the same Python;
// the packed way leans on names inside Pyodide, so the stock way stands behind it and is tested.

import { compileAhead, skipKnownSymbols } from "./linking.js";
import { layFiles, Packs, readPack } from "./packs.js";
import { CORE, fetchParts } from "./parts.js";
import { withCore } from "./wasm.js";

const HOME = "/home/pyodide";
const ENVIRONMENT = { HOME, MPLCONFIGDIR: `${HOME}/.matplotlib` };
const EMPTY_ZIP = Uint8Array.of(80, 75, 5, 6, ...new Array(18).fill(0));

/**
 * @param options.io        files of the runtime (io.js; under Node scripts/runtime/node_io.mjs)
 * @param options.manifest  what the build wrote
 * @param options.parts     promises of the first packs and the core, where the page fetches them
 * @param options.mode      "packed" or "stock"
 * @param options.tell      is told what is fetched: {what, loaded, total}, null when all is there
 * @returns {python, prepare}: Pyodide, and `prepare(modules)`, which fetches what imports need
 */
export function start({ mode = "packed", ...options }) {
  return mode === "stock" ? startStock(options) : startPacked(options);
}

// --- from packs ---------------------------------------------------------------------------------

async function startPacked({ io, manifest, parts = fetchParts(io, manifest), tell }) {
  const { core, packs, first } = manifest;
  // Brought by hand, its name need not be known to Pyodide's loader.
  const [{ loadPyodide }] = await Promise.all([io.module(core.mjs), io.module(core.asm)]);
  let modules = {};
  const lock = { info: core.info, packages: {} };
  const begin = () =>
    loadPyodide({
      indexURL: io.url(core.folder),
      env: ENVIRONMENT,
      stdLibURL: io.address(EMPTY_ZIP, "application/zip"),
      lockFileURL: io.address(new TextEncoder().encode(JSON.stringify(lock)), "application/json"),
      fsInit: async (FS) => {
        for (const pack of first) {
          const { files, index } = readPack(await parts[pack]);
          layFiles(FS, files);
          compileAhead(files);
          modules = { ...modules, ...index.modules };
        }
      },
    });
  // Pyodide's loader waits for ever for what does not arrive.
  const lost = Promise.all(Object.values(parts)).then(() => new Promise(() => {}));
  const python = await Promise.race([
    parts[CORE] ? withCore(io.url(core.wasm), parts[CORE], begin) : begin(),
    lost,
  ]);
  // SciPy's special functions name OpenBLAS for one function that no light name reaches; it is
  // loaded, under its path, with the first module that computes with it.
  python._module.LDSO.loadedLibsByName["libopenblas.so"] = {
    refcount: Infinity,
    name: "libopenblas.so",
    global: true,
    exports: {},
  };
  skipKnownSymbols(python._module.GOT);
  const store = new Packs(manifest, modules, io, tell);
  const finder = python.pyimport("dpdocs_page.packs");
  store.attach(
    python.FS,
    (bytes) => {
      const proxy = finder.inflate(bytes);
      const view = proxy.getBuffer("u8");
      const copy = view.data.slice();
      view.release();
      proxy.destroy();
      return copy;
    },
    (pack) => finder.settle(packs[pack].libraries ?? []),
  );
  finder.install([...store.home.keys()].join(" "), (name) => store.fetchNow(name));
  tell(null);
  return { python, prepare: (names) => store.fetch(names) };
}

// --- as Pyodide does it -------------------------------------------------------------------------

async function startStock({ io, manifest, tell }) {
  const { core, stock, wheel, page } = manifest;
  tell({ what: "Python", loaded: 0, total: 0 });
  const { loadPyodide } = await io.module(core.mjs);
  const python = await loadPyodide({
    indexURL: io.url(core.folder),
    packageCacheDir: io.url(core.folder),
    env: ENVIRONMENT,
  });
  const load = async (names) => {
    tell({ what: names.join(", "), loaded: 0, total: 0 });
    const report = (problem) => {
      throw new Error(problem);
    };
    await python.loadPackage(names, { messageCallback() {}, errorCallback: report });
    tell(null);
  };
  await load(stock.first);
  for (const { file } of [wheel, page]) python.unpackArchive(await io.bytes(file), "wheel");
  tell(null);
  const loaded = new Set();
  const roots = (names) => new Set(names.map((name) => name.split(".")[0]));
  return {
    python,
    prepare: async (names) => {
      const wanted = [...roots(names)].filter((name) => stock.onDemand.includes(name));
      if (!wanted.length || loaded.has(String(wanted))) return;
      await load(wanted);
      loaded.add(String(wanted));
      // Its list of fonts is made now, not in the middle of a cell's output.
      if (wanted.includes("matplotlib")) python.pyimport("matplotlib.font_manager");
    },
  };
}
