// The compiled core: fetched and compiled while everything else is still on its way, and handed to
// Pyodide's loader, which would fetch it by a name of its own.

import { content, get } from "./io.js";

/**
 * Compile the core from the file a host serves best. As it is where the host compresses it (the
 * browser then keeps the machine code for the next visit) or where the host is this machine; else
 * the compressed twin, a third of the bytes.
 *
 * @param base  absolute address of the runtime's folder
 * @param core  the manifest's entry: `wasm` and `wasmCompressed`
 */
export async function compileCore(base, { wasm, wasmCompressed }) {
  const stop = new AbortController();
  const address = new URL(wasm, base).href;
  const plain = await get(address, { signal: stop.signal });
  if (plain.headers.get("content-encoding") || isThisMachine(address)) {
    if (plain.headers.get("content-type") === "application/wasm") {
      return WebAssembly.compileStreaming(plain);
    }
    return WebAssembly.compile(await plain.arrayBuffer());
  }
  stop.abort();
  const packed = await get(new URL(wasmCompressed, base).href);
  const headers = { "content-type": "application/wasm" };
  return WebAssembly.compileStreaming(new Response(content(packed, wasmCompressed), { headers }));
}

function isThisMachine(address) {
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/**
 * Run `work`, during which whoever fetches and instantiates the core gets the module of `compiled`.
 */
export async function withCore(address, compiled, work) {
  const { fetch } = globalThis;
  const { instantiateStreaming } = WebAssembly;
  const held = {};
  globalThis.fetch = (what, ...more) =>
    String(what) === address ? Promise.resolve(held) : fetch(what, ...more);
  WebAssembly.instantiateStreaming = async (source, imports) => {
    if ((await source) !== held) return instantiateStreaming(source, imports);
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
