import type { ObjectReader } from './object-reader.js';
import type { ObjectWriter } from './object-writer.js';
import { ownBytes } from './own-bytes.js';
import { Recent } from './recent.js';

/** What a tree says of one name. Names and paths hold one byte in each character: they need not be UTF-8. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/** The names of one folder in git's order, and the bytes that git keeps for them. */
interface Tree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly content: Buffer;
}

/** What is to be at some paths; undefined is nothing. */
export type TreeEdits = ReadonlyMap<string, TreeEntry | undefined>;

/** One path that differs between two trees. */
export interface TreeDifference {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

const FOLDER_MODE = '40000';
export const SUBMODULE_MODE = '160000';

/** Bytes of trees that stay parsed, which take some times that: those on the way to what is edited now, in a repository of any size. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

/** What a tree takes besides its bytes. */
const TREE_OVERHEAD_BYTES = 512;

/** Reads and changes trees in this process: what that costs depends on the paths, not on the size of the repository. */
export class Trees {
  readonly #reader: ObjectReader;
  readonly #writer: ObjectWriter;
  readonly #cache = new Recent<string, Tree>(MAX_CACHED_BYTES, ({ content }) => content.length + TREE_OVERHEAD_BYTES);

  constructor(reader: ObjectReader, writer: ObjectWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  /** What a tree has at a path; undefined for nothing. */
  async find(root: string, path: string): Promise<TreeEntry | undefined> {
    let at: TreeEntry = { mode: FOLDER_MODE, id: root };
    for (const name of path.split('/')) {
      if (at.mode !== FOLDER_MODE) return undefined;
      const entry = (await this.#read(at.id)).entries.get(name);
      if (!entry) return undefined;
      at = entry;
    }
    return at;
  }

  /** A tree with these edits; a path under a submodule cannot be edited, which throws. */
  async edit(root: string, edits: TreeEdits): Promise<string> {
    return (await this.#edit(root, edits)) ?? this.#writer.write('tree', Buffer.alloc(0));
  }

  /** A tree of just these files. */
  async build(files: TreeEdits): Promise<string> {
    return (await this.#edit(undefined, files)) ?? this.#writer.write('tree', Buffer.alloc(0));
  }

  /** All paths of files that differ; undefined when there are more than the caller wants to know of. */
  async difference(from: string, to: string, most: number): Promise<TreeDifference[] | undefined> {
    const found: TreeDifference[] = [];
    const complete = await this.#collect('', from, to, found, most);
    return complete ? found : undefined;
  }

  async #collect(
    prefix: string,
    from: string | undefined,
    to: string | undefined,
    found: TreeDifference[],
    most: number,
  ): Promise<boolean> {
    const older = (from ? await this.#read(from) : EMPTY).entries;
    const newer = (to ? await this.#read(to) : EMPTY).entries;
    for (const name of differing(older, newer)) {
      const [before, after] = [older.get(name), newer.get(name)];
      const [oldFile, oldFolder] = apart(before);
      const [newFile, newFolder] = apart(after);
      if (oldFile || newFile) found.push({ path: prefix + name, before: oldFile, after: newFile });
      if (found.length > most) return false;
      const below = oldFolder !== undefined || newFolder !== undefined;
      if (below && !(await this.#collect(`${prefix}${name}/`, oldFolder, newFolder, found, most))) return false;
    }
    return true;
  }

  /** The id of the edited tree, or undefined when nothing is left in it. */
  async #edit(root: string | undefined, edits: TreeEdits): Promise<string | undefined> {
    const old = root ? await this.#read(root) : EMPTY;
    const entries = new Map(old.entries);
    const groups = byFirstName(edits);
    for (const [name, { own, below }] of groups) {
      if (own !== 'untouched') set(entries, name, own);
      if (below.size === 0) continue;
      const there = entries.get(name);
      if (there?.mode === SUBMODULE_MODE) throw new Error(`${name} is a submodule`);
      const folder = there?.mode === FOLDER_MODE ? there.id : undefined;
      // Nothing is below a file; taking away what is below it leaves it as it is.
      if (there && !folder && [...below.values()].every((entry) => entry === undefined)) continue;
      const id = await this.#edit(folder, below);
      set(entries, name, id === undefined ? undefined : { mode: FOLDER_MODE, id });
    }
    if (entries.size === 0) return undefined;
    const tree = withOtherIds(old, entries, groups) ?? format(entries);
    const id = this.#writer.write('tree', tree.content);
    this.#keep(id, tree);
    return id;
  }

  async #read(id: string): Promise<Tree> {
    const known = this.#cache.get(id);
    if (known) return known;
    const object = await this.#reader.read(id);
    if (object?.type !== 'tree') throw new Error(`there is no tree ${id}`);
    const tree = parse(object.content, id.length / 2);
    this.#keep(id, tree);
    return tree;
  }

  #keep(id: string, { entries, content }: Tree): void {
    this.#cache.set(id, { entries, content: ownBytes(content) });
  }
}

const EMPTY: Tree = { entries: new Map(), content: Buffer.alloc(0) };

/** Names that are not the same on both sides; most are, in a folder of any size. */
function differing(older: Tree['entries'], newer: Tree['entries']): string[] {
  const names: string[] = [];
  for (const [name, before] of older) {
    const after = newer.get(name);
    if (after !== before && (after?.id !== before.id || after.mode !== before.mode)) names.push(name);
  }
  for (const name of newer.keys()) if (!older.has(name)) names.push(name);
  return names;
}

function apart(entry: TreeEntry | undefined): [file: TreeEntry | undefined, folder: string | undefined] {
  return entry?.mode === FOLDER_MODE ? [undefined, entry.id] : [entry, undefined];
}

function set(entries: Map<string, TreeEntry>, name: string, entry: TreeEntry | undefined): void {
  if (entry) entries.set(name, entry);
  else entries.delete(name);
}

function byFirstName(edits: TreeEdits) {
  const groups = new Map<
    string,
    { own: TreeEntry | undefined | 'untouched'; below: Map<string, TreeEntry | undefined> }
  >();
  for (const [path, entry] of edits) {
    const slash = path.indexOf('/');
    const name = slash < 0 ? path : path.slice(0, slash);
    const group = groups.get(name) ?? { own: 'untouched' as const, below: new Map() };
    groups.set(name, group);
    if (slash < 0) group.own = entry;
    else group.below.set(path.slice(slash + 1), entry);
  }
  return groups;
}

/** `<mode> <name>\0<id in bytes>`, again and again. */
function parse(content: Buffer, idBytes: number): Tree {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const zero = content.indexOf(0, space);
    const end = zero + 1 + idBytes;
    entries.set(content.toString('latin1', space + 1, zero), {
      mode: content.toString('latin1', at, space),
      id: content.toString('hex', zero + 1, end),
    });
    at = end;
  }
  return { entries, content };
}

/** What most edits make: some names lead to other contents and all else is as it was. Undefined for any other edit. */
function withOtherIds(old: Tree, edited: Tree['entries'], names: ReadonlyMap<string, unknown>): Tree | undefined {
  if (edited.size !== old.entries.size) return undefined;
  const entries = new Map(old.entries); // a name that went and came again is not at its place in the edited ones
  for (const name of names.keys()) {
    const entry = edited.get(name);
    if (!entry || entry.mode !== old.entries.get(name)?.mode) return undefined;
    entries.set(name, entry);
  }
  const content = Buffer.from(old.content);
  let at = 0;
  for (const [name, { mode, id }] of entries) {
    at += mode.length + name.length + 2;
    if (names.has(name)) content.write(id, at, 'hex');
    at += id.length / 2;
  }
  return { entries, content };
}

/** Git sorts by bytes, a folder as if its name ended in a slash. */
function format(entries: Tree['entries']): Tree {
  const key = ([name, { mode }]: [string, TreeEntry]) => (mode === FOLDER_MODE ? `${name}/` : name);
  const sorted = [...entries].map((entry) => [key(entry), entry] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = sorted.flatMap(([, [name, { mode, id }]]) => [
    Buffer.from(`${mode} ${name}\0`, 'latin1'),
    Buffer.from(id, 'hex'),
  ]);
  return { entries: new Map(sorted.map(([, entry]) => entry)), content: Buffer.concat(parts) };
}
