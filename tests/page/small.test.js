import assert from "node:assert/strict";
import { test } from "node:test";

import { readAddress, writeAddress } from "../../docs/page/address.js";
import { say, setCatalogue, t, translate } from "../../docs/page/messages.js";
import { Positions } from "../../docs/page/positions.js";
import { isRoomy } from "../../docs/page/room.js";

test("a lab's address is read back as it was written", () => {
  const values = { query: "sum", n: "4", scale: "1e+300", record: "−2", delta: "0.1 & more" };
  const hash = writeAddress("lab", values);
  assert.deepEqual(readAddress(hash, "lab", Object.keys(values)), values);
});

test("only known names and values of sensible length are taken", () => {
  const names = ["n", "scale"];
  assert.deepEqual(readAddress("#lab?n=4&evil=1&scale=2", "lab", names), { n: "4", scale: "2" });
  assert.deepEqual(readAddress(`#lab?n=4&scale=${"9".repeat(65)}`, "lab", names), { n: "4" });
  assert.deepEqual(readAddress("#lab?n=4&scale=%0a1", "lab", names), { n: "4" });
  assert.equal(readAddress("#lab?evil=1", "lab", names), null);
  assert.equal(readAddress("#other?n=4", "lab", names), null);
  assert.equal(readAddress("#lab", "lab", names), null);
  assert.equal(readAddress(`#lab?n=${"4".repeat(3000)}`, "lab", names), null);
  // A broken escape is text like any other: the lab will refuse it.
  assert.equal(typeof readAddress("#lab?n=%E0%A4%A", "lab", names).n, "string");
});

test("messages: values, keys inside values, colours, nested data", () => {
  setCatalogue({ "a.title": "δ at {x}", "a.other": "ε", "a.both": "{one} and {two}" });
  assert.equal(t("a.title", { x: "0.5" }), "δ at 0.5");
  assert.equal(t("a.both", { one: "@a.other", two: { message: "a.title", values: { x: "1" } } }), "ε and δ at 1");
  assert.equal(t("a.missing"), "a.missing");
  assert.equal(say({ message: "a.title", values: { x: 2 } }), "δ at 2");
  assert.equal(say(null), "");
  assert.deepEqual(
    translate({ color: "@colour.d-prime", rows: [{ label: "@a.other", n: 3, none: null }] }),
    { color: "var(--dp-d-prime)", rows: [{ label: "ε", n: 3, none: null }] },
  );
  assert.deepEqual(translate({ message: "@a.other" }), "ε");
});

test("a slider writes the lab's own texts and finds the nearest to a typed one", () => {
  const positions = new Positions(["0", "0.1", "0.2", "0.5", "1", "2", "1e3"]);
  assert.equal(positions.text(2), "0.2");
  assert.equal(positions.nearest("0.21"), 2);
  assert.equal(positions.nearest("-5"), 0);
  assert.equal(positions.nearest("1e300"), 6);
  for (const text of ["", " ", "abc", "inf", "1,5"]) assert.equal(positions.nearest(text), null);
});

test("Python is loaded ahead only where it is no burden", () => {
  const fast = { effectiveType: "4g", saveData: false };
  for (const [navigator, coarse, ahead] of [
    [{ connection: fast, deviceMemory: 8 }, false, true],
    [{}, false, true],
    [{ connection: { ...fast, saveData: true }, deviceMemory: 8 }, false, false],
    [{ connection: { ...fast, effectiveType: "3g" }, deviceMemory: 8 }, false, false],
    [{ connection: { ...fast, type: "cellular" }, deviceMemory: 8 }, false, false],
    [{ connection: fast, deviceMemory: 1 }, false, false],
    [{ connection: fast, deviceMemory: 8 }, true, true],
    [{ connection: fast, deviceMemory: 2 }, true, false],
    [{}, true, false],
  ]) {
    assert.equal(isRoomy(navigator, coarse), ahead, JSON.stringify([navigator, coarse]));
  }
});
