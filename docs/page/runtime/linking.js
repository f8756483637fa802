// Shared libraries, linked quicker than Emscripten's loader would by itself. Both shortcuts know that
// loader from inside; without them it does the same, in more time.

/**
 * Compile libraries while Python starts, and hand the results to whoever compiles the same bytes:
 * Python's loader does that one by one, while everything waits.
 *
 * @param files  [path, bytes] pairs
 */
export function compileAhead(files) {
  for (const [path, bytes] of files) {
    if (!path.endsWith(".so")) continue;
    WebAssembly.compile(bytes).then(
      (module) => compiled.push({ bytes, module }),
      () => {}, // compiled again in its turn, its error is told there
    );
  }
  handOut();
}

const compiled = [];
let isHandingOut = false;

function handOut() {
  if (isHandingOut) return;
  isHandingOut = true;
  WebAssembly.Module = new Proxy(WebAssembly.Module, {
    construct(Module, [source], asked) {
      const known = compiled.find(({ bytes }) => areSame(bytes, source));
      return known ? known.module : Reflect.construct(Module, [source], asked);
    },
  });
}

/** Are these the bytes of the same library? Its length and a byte here and there tell. */
function areSame(one, other) {
  if (!ArrayBuffer.isView(other) || one.length !== other.length) return false;
  const bytes = new Uint8Array(other.buffer, other.byteOffset, other.byteLength);
  for (let i = 0; i < one.length; i += 509) if (one[i] !== bytes[i]) return false;
  return true;
}

/**
 * After each library the loader looks through all symbols for those still without an address; ten
 * thousand of them have had one since the start. Show it only those that have none yet.
 *
 * @param table  Emscripten's table of symbols, `Module.GOT`
 */
export function skipKnownSymbols(table) {
  const { entries } = Object;
  let seen = 0;
  let open = [];
  Object.entries = (object) => {
    if (object !== table) return entries(object);
    // Names stand in the order in which they came; none is ever taken away.
    const names = Object.keys(table);
    for (; seen < names.length; seen += 1) open.push([names[seen], table[names[seen]]]);
    open = open.filter(([, symbol]) => symbol.value === 0);
    return open;
  };
}
