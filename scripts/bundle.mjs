#!/usr/bin/env node
// Bundle the browser source: docs/page/*.js and docs/page/style/main.css → build/bundle/.
//
//   node scripts/bundle.mjs [--out FOLDER] [--readable]
//
// Every file's name carries the hash of its content, so a deploy can never mix old and new code;
// bundle.json maps the plain names ("main.js", "style.css", "worker.js", …) to the hashed ones.

import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const source = path.join(root, "docs", "page");

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: path.join(root, "build", "bundle") },
    readable: { type: "boolean", default: false },
  },
});

const common = {
  absWorkingDir: root,
  nodePaths: [path.join(root, "node_modules")],
  bundle: true,
  format: "esm",
  target: ["es2022", "chrome111", "firefox115", "safari16.4"],
  minify: !options.readable,
  charset: "utf8",
  legalComments: "none", // licences.txt carries every licence in full
  metafile: true,
  logLevel: "warning",
  outdir: options.out,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
};

/** Output files of a build as [logical name, hashed name]. */
function outputs(metafile) {
  return Object.entries(metafile.outputs).map(([file, output]) => {
    const hashed = path.basename(file);
    const logical = hashed.replace(/-[A-Z0-9]{8}(\.[a-z0-9]+)$/, "$1");
    return { hashed, logical, entry: output.entryPoint };
  });
}

/** The one worker, named by the standard form, gets its hashed name. */
function workerAddress(hashed) {
  const written = 'new URL("./worker.js", import.meta.url)';
  return {
    name: "worker-address",
    setup(build) {
      build.onLoad({ filter: /[\\/]runtime[\\/][^\\/]+\.js$/ }, async ({ path: file }) => {
        const text = await readFile(file, "utf8");
        return {
          contents: text.replaceAll(written, `new URL("./${hashed}", import.meta.url)`),
          loader: "js",
        };
      });
    },
  };
}

/** Keep only woff2: every browser that runs module workers reads it. */
const woff2Only = {
  name: "woff2-only",
  setup(build) {
    build.onLoad({ filter: /[\\/]katex[\\/].*\.css$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      return {
        contents: text.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, ""),
        loader: "css",
      };
    });
  },
};

/** Transforms that no Vega-Lite specification can ask for; a tenth of the drawing library. */
const withoutUnused = {
  name: "without-unused",
  setup(build) {
    const filter = /^vega-(?:crossfilter|force|hierarchy|label|wordcloud)$/;
    build.onResolve({ filter }, ({ path: name }) => ({ path: name, namespace: "unused" }));
    build.onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "export {};" }));
  },
};

/** The fonts as scripts/pages/fonts.py cut them down; whole ones where it has not run. */
const smallFonts = {
  name: "small-fonts",
  setup(build) {
    build.onLoad({ filter: /[\\/]@fontsource-variable[\\/].*\.woff2$/ }, async ({ path: file }) => {
      const small = path.join(root, "build", "fonts", path.basename(file));
      return { contents: await readFile(existsSync(small) ? small : file), loader: "file" };
    });
  },
};

// Packages that come without a licence text of their own, and where it stands.
const LICENCE_OF = { "vega-interpreter": "vega" };

async function licence(name) {
  const folder = path.join(root, "node_modules", LICENCE_OF[name] ?? name);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} comes without its licence: name where it stands in LICENCE_OF`);
  return (await readFile(path.join(folder, file), "utf8")).trim();
}

/** The licences of all packages whose code or fonts are in the bundle. */
async function licences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) packages.add(found[1]);
  }
  const parts = [];
  for (const name of [...packages].sort()) {
    const folder = path.join(root, "node_modules", name);
    const { version, license } = JSON.parse(
      await readFile(path.join(folder, "package.json"), "utf8"),
    );
    parts.push(`${name} ${version} (${license})\n\n${await licence(name)}\n`);
  }
  return parts.join(`\n${"-".repeat(78)}\n\n`);
}

async function main() {
  if (!existsSync(path.join(root, "node_modules", "vega"))) {
    throw new Error("node_modules is missing or incomplete: run `npm ci` first");
  }
  await rm(options.out, { recursive: true, force: true });
  await mkdir(options.out, { recursive: true });

  const worker = await esbuild.build({
    ...common,
    entryPoints: { worker: path.join(source, "runtime", "worker.js") },
  });
  const [built] = outputs(worker.metafile);

  const page = await esbuild.build({
    ...common,
    splitting: true,
    entryPoints: {
      main: path.join(source, "main.js"),
      style: path.join(source, "style", "main.css"),
    },
    plugins: [workerAddress(built.hashed), woff2Only, smallFonts, withoutUnused],
  });

  const names = { "worker.js": built.hashed };
  for (const { logical, hashed } of outputs(page.metafile)) {
    if (!logical.startsWith("chunk.")) names[logical] = hashed;
  }
  await writeFile(
    path.join(options.out, "bundle.json"),
    `${JSON.stringify(names, Object.keys(names).sort(), 2)}\n`,
  );
  const inputs = [worker, page].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(path.join(options.out, "licences.txt"), await licences(inputs));
}

try {
  await main();
} catch (error) {
  // esbuild has already printed its own messages; anything else says here what is wrong.
  if (!error.errors) console.error(`bundle: ${error.message}`);
  process.exitCode = 1;
}
