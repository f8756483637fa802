// A lab's result, put into the places that the build made for it: read-outs, verdicts, tables.

import { el, setText } from "./dom.js";
import { say, t } from "./messages.js";

export function showReadouts(section, readouts) {
  for (const box of section.querySelectorAll("[data-readout]")) {
    const readout = readouts[box.dataset.readout];
    if (!readout) continue;
    setText(box.querySelector("dt"), say(readout.label));
    setText(box.querySelector("output"), readout.text);
    setText(box.querySelector(".dp-unit"), say(readout.unit));
    setText(box.querySelector(".dp-note"), say(readout.note));
  }
}

export function showVerdicts(section, verdicts) {
  for (const box of section.querySelectorAll("[data-verdict]")) {
    const verdict = verdicts[box.dataset.verdict];
    if (!verdict) continue;
    box.dataset.holds = String(verdict.holds);
    setText(box.querySelector(".dp-holds"), t(verdict.holds ? "page.lab.holds" : "page.lab.fails"));
    setText(box.querySelector(".dp-reason"), say(verdict.message));
    const witness = box.querySelector(".dp-witness");
    if (!witness) continue;
    setText(witness, say(verdict.witness));
    witness.hidden = !verdict.witness;
  }
}

/** Fill the tables; `whole` names those that show all their rows. */
export function showTables(section, tables, whole) {
  for (const box of section.querySelectorAll("[data-table]")) {
    const table = tables[box.dataset.table];
    if (!table) continue;
    setText(box.querySelector("caption"), say(table.caption));
    const heads = box.querySelectorAll("thead th");
    table.columns.forEach((name, i) => setText(heads[i], say(name)));
    const rows = whole.has(box.dataset.table) ? (table.rows_all ?? table.rows) : table.rows;
    fillBody(box.querySelector("tbody"), rows);
  }
}

/** Reuse the cells that are there: a table that changes under a slider must not flicker. */
function fillBody(body, rows) {
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((row, r) => {
    const line = body.rows[r] ?? body.insertRow();
    row.forEach((entry, c) => {
      if (!line.cells[c]) line.append(c === 0 ? el("th", { scope: "row" }) : el("td"));
      setText(line.cells[c], say(entry));
    });
  });
}
