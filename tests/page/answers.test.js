import assert from "node:assert/strict";
import { test } from "node:test";

import { digitsFor, judge, readNumber } from "../../docs/page/answers.js";

test("numbers are read as decimals, fractions and powers of ten", () => {
  for (const [typed, value] of [
    ["0.5", 0.5], [".5", 0.5], ["1/2", 0.5], [" 1 / 2 ", 0.5], ["−3", -3], ["1e-5", 1e-5],
    ["2.", 2], ["+4", 4], ["1e-3/2", 5e-4], ["inf", Infinity], ["∞", Infinity],
  ]) {
    assert.deepEqual(readNumber(typed), { value }, typed);
  }
});

test("what cannot be read is refused with its reason", () => {
  for (const [typed, reason] of [
    ["", "empty"], ["  ", "empty"], ["0,5", "comma"], ["1,000", "comma"], ["５", "full-width"],
    ["50%", "percent"], ["abc", "number"], ["1/2/3", "number"], ["1/", "number"], ["--1", "number"],
    ["1/0", "zero-division"], ["0x10", "number"], ["1 000", "number"], ["NaN", "number"],
  ]) {
    assert.deepEqual(readNumber(typed), { refused: reason }, typed);
  }
});

const number = (answer, more = {}) => ({ kind: "number", answer, ...more });

test("a number is right within its tolerance", () => {
  assert.ok(judge(number("0.393469340287"), "0.393469").right);
  assert.ok(judge(number("0.5"), "1/2").right);
  assert.ok(!judge(number("0.5"), "0.500001").right);
  assert.ok(judge(number("0.5", { tolerance: 0.01 }), "0.501").right);
  assert.ok(judge(number("0"), "0").right);
  assert.ok(!judge(number("0"), "1e-12").right, "only zero is zero");
  assert.ok(judge(number("inf"), "inf").right);
  assert.ok(!judge(number("inf"), "1e300").right);
  assert.ok(judge(number("1/3"), "1/3").right);
});

test("too few digits are told apart from a wrong number", () => {
  assert.deepEqual(judge(number("0.393469340287"), "0.393"), { right: false, close: true });
  assert.equal(judge(number("0.393469340287"), "0.5").close, false);
  assert.equal(digitsFor(1e-6), 6);
  assert.equal(digitsFor(0.05), 2);
});

test("a foreseen wrong number is recognised", () => {
  const exercise = number("4", { foreseen: ["8", "0.5"] });
  assert.deepEqual(judge(exercise, "1/2"), { right: false, foreseen: 1 });
  assert.deepEqual(judge(exercise, "0,5"), { right: false, refused: "comma" });
});

test("choices need exactly the right ones", () => {
  const one = { kind: "choice", answer: ["1"] };
  assert.ok(judge(one, ["1"]).right);
  assert.ok(!judge(one, ["0"]).right);
  assert.equal(judge(one, []).refused, "nothing-chosen");
  const several = { kind: "choices", answer: ["0", "2"] };
  assert.ok(judge(several, ["2", "0"]).right);
  assert.ok(!judge(several, ["0"]).right);
  assert.ok(!judge(several, ["0", "1", "2"]).right);
});

test("text is compared without case, width and needless spaces", () => {
  const exercise = { kind: "text", answer: "Post-processing" };
  assert.ok(judge(exercise, "  post-processing ").right);
  assert.ok(judge({ kind: "text", answer: ["민감도", "sensitivity"] }, "민감도").right);
  assert.ok(!judge(exercise, "composition").right);
  assert.equal(judge(exercise, " ").refused, "empty");
});
