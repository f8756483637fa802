// The drawing library, a chunk of its own: fetched when the first live figure is due.

import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { Error as ONLY_ERRORS, View, loader, logger, parse } from "vega";

const refuse = (address) => Promise.reject(new Error(`figures load nothing: ${address}`));

/** Figures bring their data along. Only pictures inside the specification itself are shown. */
function closedLoader() {
  const closed = loader();
  closed.load = refuse;
  closed.http = refuse;
  closed.file = refuse;
  closed.sanitize = (address) =>
    /^data:image\/(?:png|jpeg|webp|gif);base64,/.test(address)
      ? Promise.resolve({ href: address })
      : refuse(address);
  return closed;
}

/**
 * Draw a Vega-Lite specification as SVG in a container; return the running view.
 * Expressions are interpreted, never compiled by `eval`: a reader's specification is no code,
 * and the page works under a policy that forbids it.
 */
export async function drawInto(container, spec) {
  const quiet = logger(ONLY_ERRORS);
  const compiled = compile(spec, { logger: quiet }).spec;
  const view = new View(parse(compiled, null, { ast: true }), {
    container,
    expr: expressionInterpreter,
    loader: closedLoader(),
    logger: quiet,
    renderer: "svg",
  });
  try {
    return await view.runAsync();
  } catch (error) {
    view.finalize();
    throw error;
  }
}
