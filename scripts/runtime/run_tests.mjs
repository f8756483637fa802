// Run tests inside the browser's Python, under Node.
//
//   node run_tests.mjs <packed runtime> <folder of pure Python packages> <repository> <script.py> <argument>…

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { start } from "../../docs/page/runtime/loader.js";
import { NodeIO, tellErrors } from "./node_io.mjs";

tellErrors();

const [folder, packages, repository, script, ...given] = process.argv.slice(2);
const name = readdirSync(folder).find((file) => /^runtime-\w+\.json$/.test(file));
const manifest = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
const { python } = await start({ io: new NodeIO(folder), manifest, tell: () => {} });
python.mountNodeFS("/tools", packages);
python.mountNodeFS("/repository", repository);
python.setStdout({ batched: (line) => console.log(line) });
python.setStderr({ batched: (line) => console.log(line) });
const run = python.runPython(readFileSync(script, "utf8") + "\nrun");
process.exitCode = run(python.toPy(given));
