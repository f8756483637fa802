// Run a script inside the browser's Python, under Node, with every file there from the start.
//
//   node inside.mjs <folder with manifest.json> <script.py>      → the script's last value

import { readFileSync } from "node:fs";
import path from "node:path";
import { start } from "../../docs/page/runtime/loader.js";
import { NodeIO, tellErrors } from "./node_io.mjs";

tellErrors();

const [folder, script] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8"));
const { python } = await start({ io: new NodeIO(folder), manifest, tell: () => {} });
process.stdout.write(python.runPython(readFileSync(script, "utf8")));
