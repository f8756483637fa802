import assert from "node:assert/strict";
import { test } from "node:test";

import { firstDifference, sameNumber, sameText } from "../../docs/page/compare.js";

const text = (words, stream = "stdout") => ({ kind: "text", stream, text: words });

test("numbers are the same up to rounding, whole numbers exactly", () => {
  assert.ok(sameNumber("0.3934693402873666", "0.39346934028736657"));
  assert.ok(sameNumber("1.0", "1"));
  assert.ok(sameNumber("−2.5", "-2.5"));
  assert.ok(!sameNumber("0.39346934", "0.39346935"));
  assert.ok(!sameNumber("12345678901234567890", "12345678901234567891"));
  assert.ok(!sameNumber("1e-300", "2e-300"), "small numbers are not all zero");
  assert.ok(!sameNumber("0.0", "1e-17"), "zero is no small number");
});

test("text is compared as words, with numbers as numbers", () => {
  assert.ok(sameText("delta =  0.30000000000000004", "delta = 0.3"));
  assert.ok(!sameText("delta = 0.3", "epsilon = 0.3"));
  assert.ok(!sameText("1 2", "1 2 3"));
  assert.ok(!sameText("inf", "nan"));
  assert.ok(!sameText("-0.5", "0.5"));
});

test("pieces of one stream are one text; the space at its end does not count", () => {
  assert.equal(firstDifference([text("a"), text("b\n")], [text("ab")]), null);
  assert.equal(firstDifference([text("")], []), null);
  assert.notEqual(firstDifference([text("a", "stderr")], [text("a")]), null);
});

test("the first differing line is named", () => {
  assert.deepEqual(firstDifference([text("one\n2.0\nx")], [text("one\n2.1\ny")]), {
    case: "line", line: 2, mine: "2.0", built: "2.1", output: 1,
  });
  const more = firstDifference([text("one\ntwo")], [text("one")]);
  assert.deepEqual([more.line, more.mine, more.built], [2, "two", null]);
});

test("the first differing entry of a table is named; row 0 is the heading", () => {
  const table = (rows, columns = ["a", "b"]) => ({ kind: "table", columns, rows });
  assert.equal(firstDifference([table([[1, 0.1 + 0.2]])], [table([[1, 0.3]])]), null);
  const other = firstDifference([table([[1, 2], [3, 4]])], [table([[1, 2], [3, 5]])]);
  assert.deepEqual(other, { case: "entry", row: 2, column: 2, mine: 4, built: 5, output: 1 });
  assert.equal(firstDifference([table([[1, 2]], ["a", "c"])], [table([[1, 2]])]).row, 0);
  assert.equal(firstDifference([table([])], [table([[1, 2]])]).built, 1);
});

test("figures are compared by specification, images by their text", () => {
  const figure = (spec) => ({ kind: "figure", spec });
  const spec = { mark: "line", data: { values: [{ x: 0.1 + 0.2 }] } };
  assert.equal(firstDifference([figure(spec)], [figure({ ...spec, data: { values: [{ x: 0.3 }] } })]), null);
  assert.equal(firstDifference([figure(spec)], [figure({ ...spec, mark: "bar" })]).case, "picture");
  const image = (png, alt) => ({ kind: "image", png, alt });
  assert.equal(firstDifference([image("AA", "noise")], [image("BB", "noise")]), null);
  assert.equal(firstDifference([image("AA", "noise")], [image("AA", "data")]).case, "picture");
});

test("a missing, added or different output is named by its place", () => {
  const value = { kind: "value", text: "1" };
  assert.deepEqual(firstDifference([value], [value, value]).output, 2);
  assert.equal(firstDifference([value, text("x")], [value]).case, "output");
  assert.equal(firstDifference([value], [text("1")]).case, "output");
});
