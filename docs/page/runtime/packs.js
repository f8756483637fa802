// Flat packs (scripts/runtime/flat.py): many files in one, laid into Python's file system as views.

/** The files of a pack as [path, bytes] pairs, and the rest of its index. */
export function readPack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4 + view.getUint32(0, true);
  const { files, ...index } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)));
  return {
    index,
    files: files.map(([path, size]) => [path, bytes.subarray(at, (at += size))]),
  };
}

/** Lay files into the file system. They are not copied: the pack's bytes become their content. */
export function layFiles(FS, files) {
  let folder = "";
  for (const [path, bytes] of files) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (parent !== folder) {
      FS.mkdirTree(parent);
      folder = parent;
    }
    FS.writeFile(path, bytes, { canOwn: true });
  }
}

/** The packs that lie ready or can be had: which module is in which, and what it needs besides. */
export class Packs {
  /**
   * @param manifest  of the build: its `packs` have `file`, `title`, `needs`
   * @param modules   {pack: [names of the modules in it]}
   * @param io        has `bytes(name)` (a promise) and `bytesNow(name)`
   * @param tell      is told what is fetched: {what, loaded, total}
   */
  constructor(manifest, modules, io, tell) {
    this.manifest = manifest;
    this.io = io;
    this.tell = tell;
    this.here = new Set(manifest.first);
    this.home = new Map();
    for (const [pack, names] of Object.entries(modules)) {
      for (const name of names) this.home.set(name, pack);
    }
  }

  /** To be called once Python runs: `settle(pack)` follows each pack that was laid in. */
  attach(FS, inflate, settle) {
    Object.assign(this, { FS, inflate, settle });
  }

  /** The packs to fetch so that these modules can be imported. */
  wanted(modules) {
    const found = new Set();
    for (const name of modules) {
      const parts = name.split(".");
      // A package's own needs come with the package; a name may be an attribute, no module.
      for (let end = parts.length; end > 0; end -= 1) {
        const pack = this.home.get(parts.slice(0, end).join("."));
        if (pack === undefined || this.here.has(pack)) continue;
        for (const needed of this.manifest.packs[pack].needs) found.add(needed);
        found.add(pack);
      }
    }
    return [...found].filter((pack) => !this.here.has(pack));
  }

  /** Fetch side by side what these modules need. */
  async fetch(modules) {
    const packs = this.wanted(modules);
    if (!packs.length) return;
    const what = this.titles(packs);
    const total = packs.reduce((sum, pack) => sum + this.manifest.packs[pack].transfer, 0);
    let loaded = 0;
    this.tell({ what, loaded, total });
    const arrived = await Promise.all(
      packs.map((pack) =>
        this.io.bytes(this.manifest.packs[pack].file, (count) => {
          loaded += count;
          this.tell({ what, loaded, total });
        }),
      ),
    );
    packs.forEach((pack, i) => this.lay(pack, arrived[i]));
    this.tell(null);
  }

  /** Fetch at once, while Python waits in an import statement. */
  fetchNow(module) {
    for (const pack of this.wanted([module])) {
      const { title, transfer, file } = this.manifest.packs[pack];
      this.tell({ what: title, loaded: 0, total: transfer });
      this.lay(pack, this.inflate(this.io.bytesNow(file)));
      this.tell(null);
    }
  }

  lay(pack, bytes) {
    if (this.here.has(pack)) return;
    layFiles(this.FS, readPack(bytes).files);
    this.here.add(pack);
    this.settle(pack);
  }

  titles(packs) {
    return [...new Set(packs.map((pack) => this.manifest.packs[pack].title))].join(", ");
  }
}
