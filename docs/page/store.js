// What a reader leaves behind in the browser: answers, learned lessons, edited cells. One entry
// per lesson, the same for every language. Storage may be off, full or damaged: the page works
// on from memory, says so once, and never throws away what it could not read.

const VERSION = 1;
const PREFIX = `dpdocs:${VERSION}:`;
const DAMAGED = ":damaged";
const FORMAT = "dpdocs-progress";
const LARGEST_FILE = 4e6;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function fresh() {
  return { version: VERSION, answers: {}, learned: null, cells: {} };
}

/** A lesson's entry if it has the right shape, else null. */
export function checked(entry) {
  if (!isObject(entry) || entry.version !== VERSION) return null;
  const { answers, learned, cells } = entry;
  if (!isObject(answers) || !Object.values(answers).every(isObject)) return null;
  if (learned !== null && typeof learned !== "string") return null;
  if (!isObject(cells) || !Object.values(cells).every((text) => typeof text === "string")) {
    return null;
  }
  return { version: VERSION, answers, learned, cells };
}

export class Store {
  /** `storage` has the methods of localStorage, or is null; `notice(case)` tells the reader. */
  constructor(storage, notice = () => {}) {
    this.storage = storage;
    this.notice = notice;
    this.memory = new Map();
    this.told = new Set();
  }

  tell(notice) {
    if (this.told.has(notice)) return;
    this.told.add(notice);
    this.notice(notice);
  }

  /** A lesson's entry, always of the right shape. */
  read(lesson) {
    if (this.memory.has(lesson)) return structuredClone(this.memory.get(lesson));
    let text = null;
    try {
      text = this.storage?.getItem(PREFIX + lesson) ?? null;
    } catch {
      return fresh(); // reading is refused: writing will say so
    }
    if (text === null) return fresh();
    try {
      const entry = checked(JSON.parse(text));
      if (entry) return entry;
    } catch {
      // no JSON: damaged as well
    }
    this.putAside(lesson, text);
    return fresh();
  }

  putAside(lesson, text) {
    this.tell("damaged");
    try {
      this.storage.setItem(PREFIX + lesson + DAMAGED, text);
      this.storage.removeItem(PREFIX + lesson);
    } catch {
      // No room for the copy: the damaged entry stays where it is, the page works from memory.
      this.memory.set(lesson, fresh());
    }
  }

  /** Change a lesson's entry; read anew first, because another tab may have written. */
  change(lesson, edit) {
    const entry = this.read(lesson);
    edit(entry);
    this.write(lesson, entry);
    return entry;
  }

  write(lesson, entry) {
    try {
      if (!this.storage) throw new Error("no storage");
      this.storage.setItem(PREFIX + lesson, JSON.stringify(entry));
      this.memory.delete(lesson);
    } catch (error) {
      this.memory.set(lesson, structuredClone(entry));
      this.tell(error?.name === "QuotaExceededError" ? "full" : "unavailable");
    }
  }

  /** Paths of all lessons with an entry. */
  lessons() {
    const found = new Set(this.memory.keys());
    try {
      for (let i = 0; i < (this.storage?.length ?? 0); i += 1) {
        const key = this.storage.key(i);
        if (key.startsWith(PREFIX) && !key.endsWith(DAMAGED)) found.add(key.slice(PREFIX.length));
      }
    } catch {
      // storage is off: memory is all there is
    }
    return [...found].sort();
  }

  /** Forget one lesson: answers, mark and edits. */
  forget(lesson) {
    this.memory.delete(lesson);
    try {
      this.storage?.removeItem(PREFIX + lesson);
      this.storage?.removeItem(PREFIX + lesson + DAMAGED);
    } catch {
      // nothing could be stored, so nothing is left
    }
  }

  forgetAll() {
    try {
      const keys = Array.from({ length: this.storage?.length ?? 0 }, (_, i) => this.storage.key(i));
      for (const key of keys) if (key.startsWith(PREFIX)) this.storage.removeItem(key);
    } catch {
      // as above
    }
    this.memory.clear();
  }

  /** Everything as the text of a file. */
  exported() {
    const lessons = Object.fromEntries(this.lessons().map((path) => [path, this.read(path)]));
    return JSON.stringify({ format: FORMAT, version: VERSION, lessons }, null, 1);
  }

  /**
   * Take in a file: its answers, marks and edits are added to what is there and win where both
   * have one. Nothing changes unless the whole file is sound. Returns how many lessons came.
   */
  imported(text) {
    if (text.length > LARGEST_FILE) throw new ImportError("too-large");
    let file;
    try {
      file = JSON.parse(text);
    } catch {
      throw new ImportError("not-json");
    }
    if (!isObject(file) || file.format !== FORMAT || !isObject(file.lessons)) {
      throw new ImportError("not-progress");
    }
    if (file.version !== VERSION) throw new ImportError("other-version");
    const entries = Object.entries(file.lessons).map(([path, entry]) => {
      const sound = checked(entry);
      if (!sound || !/^[\w./-]{1,200}$/.test(path)) throw new ImportError("damaged");
      return [path, sound];
    });
    for (const [path, entry] of entries) {
      this.change(path, (mine) => {
        mine.answers = { ...mine.answers, ...entry.answers };
        mine.cells = { ...mine.cells, ...entry.cells };
        mine.learned = entry.learned ?? mine.learned;
      });
    }
    return entries.length;
  }
}

export class ImportError extends Error {}

/** The browser's storage, or null where even asking for it is refused. */
export function browserStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
