import assert from "node:assert/strict";
import { test } from "node:test";

import { ImportError, Store, checked } from "../../docs/page/store.js";

const KEY = "dpdocs:1:mechanisms/laplace";
const LESSON = "mechanisms/laplace";

/** Storage as a browser has it; `limit` is the room in characters. */
class FakeStorage {
  constructor(entries = {}, limit = Infinity) {
    this.map = new Map(Object.entries(entries));
    this.limit = limit;
  }

  get length() {
    return this.map.size;
  }

  key(i) {
    return [...this.map.keys()][i] ?? null;
  }

  getItem(key) {
    return this.map.get(key) ?? null;
  }

  setItem(key, value) {
    if (value.length > this.limit) {
      throw Object.assign(new Error("full"), { name: "QuotaExceededError" });
    }
    this.map.set(key, value);
  }

  removeItem(key) {
    this.map.delete(key);
  }
}

function store(storage) {
  const notices = [];
  return { notices, store: new Store(storage, (notice) => notices.push(notice)) };
}

const answer = (text) => (entry) => {
  entry.answers.first = { given: text, right: true };
};

test("what is written is read by the next visit", () => {
  const storage = new FakeStorage();
  store(storage).store.change(LESSON, answer("4"));
  assert.equal(store(storage).store.read(LESSON).answers.first.given, "4");
  assert.deepEqual([...storage.map.keys()], [KEY]);
});

test("two tabs do not undo each other", () => {
  const storage = new FakeStorage();
  const [one, two] = [store(storage).store, store(storage).store];
  one.read(LESSON);
  two.change(LESSON, answer("4"));
  one.change(LESSON, (entry) => { entry.learned = "2026-01-01"; });
  assert.deepEqual(two.read(LESSON), {
    version: 1, answers: { first: { given: "4", right: true } }, learned: "2026-01-01", cells: {},
  });
});

for (const damaged of [
  "{", "null", "[]", '"text"', '{"version":2,"answers":{},"learned":null,"cells":{}}',
  '{"version":1,"answers":[],"learned":null,"cells":{}}',
  '{"version":1,"answers":{"a":4},"learned":null,"cells":{}}',
  '{"version":1,"answers":{},"learned":7,"cells":{}}',
  '{"version":1,"answers":{},"learned":null,"cells":{"f":1}}',
]) {
  test(`damaged: ${damaged}`, () => {
    const storage = new FakeStorage({ [KEY]: damaged });
    const { store: mine, notices } = store(storage);
    assert.deepEqual(mine.read(LESSON).answers, {});
    assert.deepEqual(notices, ["damaged"]);
    assert.equal(storage.getItem(`${KEY}:damaged`), damaged, "what was there is kept aside");
    mine.change(LESSON, answer("5"));
    assert.equal(mine.read(LESSON).answers.first.given, "5");
    assert.deepEqual(mine.lessons(), [LESSON], "the copy is no lesson");
  });
}

test("full storage: told once, and the page works from memory", () => {
  const { store: mine, notices } = store(new FakeStorage({}, 10));
  mine.change(LESSON, answer("4"));
  mine.change(LESSON, (entry) => { entry.learned = "2026-01-01"; });
  assert.deepEqual(notices, ["full"]);
  assert.equal(mine.read(LESSON).answers.first.given, "4");
  assert.equal(mine.read(LESSON).learned, "2026-01-01");
});

test("no storage, and storage that throws", () => {
  const throwing = new Proxy({}, { get() { throw new Error("SecurityError"); } });
  for (const storage of [null, throwing]) {
    const { store: mine, notices } = store(storage);
    mine.change(LESSON, answer("4"));
    assert.deepEqual(notices, ["unavailable"]);
    assert.equal(mine.read(LESSON).answers.first.given, "4");
    assert.deepEqual(mine.lessons(), [LESSON]);
    mine.forgetAll();
    assert.deepEqual(mine.read(LESSON).answers, {});
  }
});

test("export and import carry everything and keep what is only here", () => {
  const [here, there] = [store(new FakeStorage()).store, store(new FakeStorage()).store];
  here.change(LESSON, (entry) => {
    entry.answers.first = { given: "4", right: true };
    entry.cells["a.py"] = "print(1)";
    entry.learned = "2026-01-01";
  });
  there.change(LESSON, (entry) => { entry.answers.second = { given: "x", right: false }; });
  assert.equal(there.imported(here.exported()), 1);
  assert.deepEqual(there.read(LESSON), {
    version: 1,
    answers: { second: { given: "x", right: false }, first: { given: "4", right: true } },
    learned: "2026-01-01",
    cells: { "a.py": "print(1)" },
  });
});

test("a file that is not sound changes nothing", () => {
  const entry = { version: 1, answers: {}, learned: null, cells: {} };
  const file = (lessons, more = {}) =>
    JSON.stringify({ format: "dpdocs-progress", version: 1, lessons, ...more });
  for (const [text, reason] of [
    ["not json", "not-json"],
    ["[]", "not-progress"],
    ['{"format":"other"}', "not-progress"],
    [file({}, { version: 2 }), "other-version"],
    [file({ a: entry, b: { version: 1 } }), "damaged"],
    [file({ "a b<c>": entry }), "damaged"],
    [" ".repeat(4e6 + 1), "too-large"],
  ]) {
    const { store: mine } = store(new FakeStorage());
    assert.throws(() => mine.imported(text), new ImportError(reason));
    assert.deepEqual(mine.lessons(), []);
  }
});

test("forgetting one lesson leaves the others, forgetting all leaves other sites' entries", () => {
  const storage = new FakeStorage({ other: "x" });
  const { store: mine } = store(storage);
  mine.change(LESSON, answer("4"));
  mine.change("mechanisms/gaussian", answer("5"));
  mine.forget(LESSON);
  assert.deepEqual(mine.lessons(), ["mechanisms/gaussian"]);
  mine.forgetAll();
  assert.deepEqual([...storage.map.keys()], ["other"]);
});

test("an imported name cannot reach an object's prototype", () => {
  const text = '{"version":1,"answers":{"__proto__":{"right":true}},"learned":null,"cells":{}}';
  const { store: mine } = store(new FakeStorage());
  mine.imported(`{"format":"dpdocs-progress","version":1,"lessons":{"a":${text}}}`);
  assert.equal({}.right, undefined);
  assert.ok(checked(mine.read("a")));
});
