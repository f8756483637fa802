// The runtime's files under Node, for the build and for tests: the twin of docs/page/runtime/io.js.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

export class NodeIO {
  /** @param folder  where the build put the runtime */
  constructor(folder) {
    this.folder = folder;
    this.made = 0;
    this.temporary = mkdtempSync(path.join(tmpdir(), "dpdocs-runtime-"));
    process.on("exit", () => rmSync(this.temporary, { recursive: true, force: true }));
  }

  url(name) {
    return path.join(this.folder, name);
  }

  module(name) {
    return import(pathToFileURL(this.url(name)).href);
  }

  async bytes(name, count = () => {}) {
    const data = this.bytesNow(name);
    count(data.byteLength);
    return new Uint8Array(name.endsWith(".gz") ? gunzipSync(data) : data);
  }

  bytesNow(name) {
    return new Uint8Array(readFileSync(this.url(name)));
  }

  address(bytes) {
    const file = path.join(this.temporary, `${(this.made += 1)}`);
    writeFileSync(file, bytes);
    return file;
  }
}

/** End with the message of an error. Node would print the line it came from: a megabyte of Pyodide. */
export function tellErrors() {
  const tell = (problem) => {
    console.error(String(problem?.message ?? problem).trimEnd());
    process.exit(1);
  };
  process.on("uncaughtException", tell);
  process.on("unhandledRejection", tell);
}
