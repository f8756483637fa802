// Renders formulas for scripts/pages/formulas.py: one JSON request a line in, one answer a line out.
// Strict: whatever KaTeX would only warn about is an error. \htmlClass is allowed because the
// macros \D and \Dp colour the two neighbours with it.
import { createInterface } from "node:readline";
import katex from "katex";

function strict(code) {
  return code === "htmlExtension" ? "ignore" : "error";
}

function trust(context) {
  return context.command === "\\htmlClass";
}

function render({ tex, display, macros }) {
  try {
    const html = katex.renderToString(tex, {
      displayMode: display,
      output: "htmlAndMathml",
      throwOnError: true,
      strict,
      trust,
      macros: { ...macros },
    });
    return { html };
  } catch (error) {
    return { error: String(error.message).replace(/^KaTeX parse error: /, "") };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(JSON.parse(line).map(render)) + "\n");
}
