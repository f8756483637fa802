// Byte-compile Python sources with the browser's own Python, under Node.
//
//   node compile.mjs <folder with the pinned files> <job.json>
//
// The job is {"files": [[source, name in tracebacks, target], …]}; the answer on standard output is
// {"imports": {name: [modules that its top level imports]}, "failed": {name: reason}}.
// The same job gives the same bytes: one fresh runtime, a fixed hash seed, the files in order.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { tellErrors } from "./node_io.mjs";

tellErrors();

const [folder, jobFile] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({
  indexURL: folder,
  packageCacheDir: folder,
  env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" },
});
python.runPython(readFileSync(new URL("compiler.py", import.meta.url), "utf8"));
const compiler = python.globals.get("compile_source");

const job = JSON.parse(readFileSync(jobFile, "utf8"));
const answer = { imports: {}, failed: {} };
for (const [source, name, target] of job.files) {
  const [code, imports, reason] = compiler(new Uint8Array(readFileSync(source)), name).toJs();
  if (reason) {
    answer.failed[name] = reason;
    continue;
  }
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, code);
  answer.imports[name] = imports;
}
process.stdout.write(JSON.stringify(answer));
