import { SUBMODULE } from '../../ports/file-modes.js';
import type { ObjectReader } from './object-reader.js';
import type { ObjectWriter } from './object-writer.js';
import { ownBytes } from './own-bytes.js';
import { Recent } from './recent.js';

/** What a tree says of one name. Names and paths hold one byte in each character: they need not be UTF-8. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/** One folder as git keeps it. What an edit of contents leaves as it is, is shared by the trees before and after it. */
interface Tree {
  readonly names: Names;
  /** What the names lead to, in the order of their places. */
  readonly ids: readonly string[];
  readonly content: Buffer;
}

/** The names of a folder, in git's order. */
type Names = ReadonlyMap<string, Place>;

interface Place {
  readonly at: number;
  readonly mode: string;
  /** Where the bytes of its id begin in the content. */
  readonly idAt: number;
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

/** Bytes of trees that stay parsed: those on the way to what is edited now. */
const MAX_CACHED_BYTES = 2 * 1024 * 1024;

/** Trees that stay even so: both sides of an edit in a folder of very many files, and what leads there. */
const LEAST_CACHED_TREES = 8;

/** Folders whose differences are looked for at once. */
const READ_AT_ONCE = 16;

/** What a tree takes in memory, and each of its names. */
const TREE_BYTES = 512;
const NAME_BYTES = 180;

/** Reads and changes trees in this process: what that costs depends on the paths, not on the size of the repository. */
export class Trees {
  readonly #reader: ObjectReader;
  readonly #writer: ObjectWriter;
  readonly #cache = new Recent<string, Tree>(
    MAX_CACHED_BYTES,
    ({ ids }) => TREE_BYTES + NAME_BYTES * ids.length,
    LEAST_CACHED_TREES,
  );

  constructor(reader: ObjectReader, writer: ObjectWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  /** What a tree has at a path; undefined for nothing. */
  async find(root: string, path: string): Promise<TreeEntry | undefined> {
    let at: TreeEntry = { mode: FOLDER_MODE, id: root };
    for (const name of path.split('/')) {
      if (at.mode !== FOLDER_MODE) return undefined;
      const entry = entryOf(this.#atHand(at.id) ?? (await this.#read(at.id)), name);
      if (!entry) return undefined;
      at = entry;
    }
    return at;
  }

  /** What a tree has under one name in each of the folders that lead to a path. */
  async findOnTheWay(root: string, path: string, wanted: string): Promise<TreeEntry[]> {
    const found: TreeEntry[] = [];
    let at: TreeEntry | undefined = { mode: FOLDER_MODE, id: root };
    for (const name of path.split('/')) {
      if (at?.mode !== FOLDER_MODE) break;
      const tree: Tree = this.#atHand(at.id) ?? (await this.#read(at.id));
      const entry = entryOf(tree, wanted);
      if (entry) found.push(entry);
      at = entryOf(tree, name);
    }
    return found;
  }

  /** A tree with these edits; a path under a submodule cannot be edited, which throws. */
  async edit(root: string, edits: TreeEdits): Promise<string> {
    return (await this.#edit(root, edits)) ?? this.#writer.write('tree', Buffer.alloc(0));
  }

  /** A tree of just these files. */
  async build(files: TreeEdits): Promise<string> {
    return (await this.#edit(undefined, files)) ?? this.#writer.write('tree', Buffer.alloc(0));
  }

  /** All paths of files that differ, in no order; undefined when the caller does not want to know of one of them. */
  async difference(
    from: string,
    to: string,
    isWanted: (difference: TreeDifference) => boolean,
  ): Promise<TreeDifference[] | undefined> {
    const found: TreeDifference[] = [];
    const take = (difference: TreeDifference) => isWanted(difference) && found.push(difference) > 0;
    return (await this.#collect('', from, to, take)) ? found : undefined;
  }

  /** The ids of one tree and those below it that another does not have there; undefined when there are more than that. */
  async treesSince(from: string, to: string, most: number): Promise<string[] | undefined> {
    const found: string[] = [];
    return (await this.#collectTrees(from, to, found, most)) ? found : undefined;
  }

  async #collectTrees(from: string | undefined, to: string, found: string[], most: number): Promise<boolean> {
    if (from === to) return true;
    if (found.push(to) > most) return false;
    const [older, newer] = [from ? await this.#read(from) : EMPTY, await this.#read(to)];
    for (const name of differing(older, newer)) {
      const [, oldFolder] = apart(entryOf(older, name));
      const [, newFolder] = apart(entryOf(newer, name));
      if (newFolder && !(await this.#collectTrees(oldFolder, newFolder, found, most))) return false;
    }
    return true;
  }

  async #collect(
    prefix: string,
    from: string | undefined,
    to: string | undefined,
    take: (difference: TreeDifference) => boolean,
  ): Promise<boolean> {
    let [older, newer] = [this.#atHand(from), this.#atHand(to)];
    if (!older || !newer) [older, newer] = await Promise.all([this.#readIfAny(from), this.#readIfAny(to)]);
    const folders: { name: string; before: string | undefined; after: string | undefined }[] = [];
    for (const name of differing(older, newer)) {
      const [oldFile, oldFolder] = apart(entryOf(older, name));
      const [newFile, newFolder] = apart(entryOf(newer, name));
      if ((oldFile || newFile) && !take({ path: prefix + name, before: oldFile, after: newFile })) return false;
      if (oldFolder !== undefined || newFolder !== undefined)
        folders.push({ name, before: oldFolder, after: newFolder });
    }
    // Some at once: waiting for each on its own takes longer than reading it.
    for (let at = 0; at < folders.length; at += READ_AT_ONCE) {
      const some = folders.slice(at, at + READ_AT_ONCE);
      const taken = some.map(({ name, before, after }) => this.#collect(`${prefix}${name}/`, before, after, take));
      if ((await Promise.all(taken)).includes(false)) return false;
    }
    return true;
  }

  /** Most are: whoever needs no other waits for nothing. */
  #atHand(id: string | undefined): Tree | undefined {
    return id === undefined ? EMPTY : this.#cache.get(id);
  }

  async #readIfAny(id: string | undefined): Promise<Tree> {
    return id === undefined ? EMPTY : this.#read(id);
  }

  /** The id of the edited tree, or undefined when nothing is left in it. */
  async #edit(root: string | undefined, edits: TreeEdits): Promise<string | undefined> {
    const old = this.#atHand(root) ?? (await this.#readIfAny(root));
    const edited = new Map<string, TreeEntry | undefined>();
    for (const [name, { own, below }] of byFirstName(edits)) {
      const there = own === 'untouched' ? entryOf(old, name) : own;
      if (own !== 'untouched') edited.set(name, own);
      if (below.size === 0) continue;
      if (there?.mode === SUBMODULE) throw new Error(`${name} is a submodule`);
      const folder = there?.mode === FOLDER_MODE ? there.id : undefined;
      // Nothing is below a file; taking away what is below it leaves it as it is.
      if (there && !folder && [...below.values()].every((entry) => entry === undefined)) continue;
      const id = await this.#edit(folder, below);
      edited.set(name, id === undefined ? undefined : { mode: FOLDER_MODE, id });
    }
    const tree = withOtherIds(old, edited) ?? withOtherNames(old, edited);
    if (tree.ids.length === 0) return undefined;
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

  #keep(id: string, { names, ids, content }: Tree): void {
    this.#cache.set(id, { names, ids, content: ownBytes(content) });
  }
}

const EMPTY: Tree = { names: new Map(), ids: [], content: Buffer.alloc(0) };

function entryOf({ names, ids }: Tree, name: string): TreeEntry | undefined {
  const place = names.get(name);
  return place && { mode: place.mode, id: ids[place.at] ?? '' };
}

/** Names that are not the same on both sides; most are, in a folder of any size. */
function differing(older: Tree, newer: Tree): string[] {
  if (older.names === newer.names) {
    const places = older.ids.flatMap((id, at) => (id === newer.ids[at] ? [] : at));
    return places.length === 0 ? [] : namesAt(older.names, new Set(places));
  }
  const names: string[] = [];
  for (const [name, { at, mode }] of older.names) {
    const place = newer.names.get(name);
    if (!place || newer.ids[place.at] !== older.ids[at] || place.mode !== mode) names.push(name);
  }
  for (const name of newer.names.keys()) if (!older.names.has(name)) names.push(name);
  return names;
}

function namesAt(names: Names, places: ReadonlySet<number>): string[] {
  const found: string[] = [];
  for (const [name, { at }] of names) {
    if (!places.has(at)) continue;
    found.push(name);
    if (found.length === places.size) break;
  }
  return found;
}

function apart(entry: TreeEntry | undefined): [file: TreeEntry | undefined, folder: string | undefined] {
  return entry?.mode === FOLDER_MODE ? [undefined, entry.id] : [entry, undefined];
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
  const names = new Map<string, Place>();
  const ids: string[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const idAt = content.indexOf(0, space) + 1;
    names.set(content.toString('latin1', space + 1, idAt - 1), {
      at: ids.length,
      mode: content.toString('latin1', at, space),
      idAt,
    });
    at = idAt + idBytes;
    ids.push(content.toString('hex', idAt, at));
  }
  return { names, ids, content };
}

/** What most edits make: some names lead to other contents and all else is as it was. Undefined for any other edit. */
function withOtherIds({ names, ids, content }: Tree, edited: TreeEdits): Tree | undefined {
  const otherIds = ids.slice();
  const otherContent = Buffer.from(content);
  for (const [name, entry] of edited) {
    const place = names.get(name);
    if (!place || place.mode !== entry?.mode) return undefined;
    otherIds[place.at] = entry.id;
    otherContent.write(entry.id, place.idAt, 'hex');
  }
  return { names, ids: otherIds, content: otherContent };
}

/** Git sorts by bytes, a folder as if its name ended in a slash. */
function withOtherNames(old: Tree, edited: TreeEdits): Tree {
  const entries = new Map<string, TreeEntry>();
  for (const [name, { at, mode }] of old.names) entries.set(name, { mode, id: old.ids[at] ?? '' });
  for (const [name, entry] of edited) {
    if (entry) entries.set(name, entry);
    else entries.delete(name);
  }
  const key = ([name, { mode }]: [string, TreeEntry]) => (mode === FOLDER_MODE ? `${name}/` : name);
  const sorted = [...entries].map((entry) => [key(entry), entry] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = sorted.flatMap(([, [name, { mode, id }]]) => [
    Buffer.from(`${mode} ${name}\0`, 'latin1'),
    Buffer.from(id, 'hex'),
  ]);
  return parse(Buffer.concat(parts), (sorted[0]?.[1][1].id.length ?? 0) / 2);
}
