import { SUBMODULE } from '../../../ports/file-modes.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { ObjectWriter } from '../objects/object-writer.js';
import { ownBytes, Recent } from '../objects/recent.js';
import { Unanswerable } from '../tiers.js';

/** What a tree has under a name. Each character of a name or path is one byte, because they need not be UTF-8. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/** One folder as git stores it. Trees before and after an edit of contents share the same `names`. */
interface Tree {
  readonly names: Names;
  /** The id under each name, by `Slot.at`. */
  readonly ids: readonly string[];
  readonly content: Buffer;
}

/** The names of a folder, in git's order. */
type Names = ReadonlyMap<string, Slot>;

interface Slot {
  readonly at: number;
  readonly mode: string;
  /** Where the bytes of the id begin in the tree's content. */
  readonly idAt: number;
}

/** The new entries at some paths; undefined removes a path. */
export type TreeEdits = ReadonlyMap<string, TreeEntry | undefined>;

/** One path that differs between two trees. */
export interface TreeDifference {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

const FOLDER_MODE = '40000';

/** Bytes of parsed trees that are cached: the folders that lead to the files being edited. */
const MAX_CACHED_BYTES = 2 * 1024 * 1024;

/** Trees that stay cached whatever their size: both sides of an edit in a huge folder, and the folders above. */
const LEAST_CACHED_TREES = 8;

/** Folders that are compared at once. */
const READ_AT_ONCE = 16;

/** Memory that a tree takes, and each of its names. */
const TREE_BYTES = 512;
const NAME_BYTES = 180;

/** Reads and edits trees in this process. The cost depends on the paths, not on the size of the repository. */
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

  /** The entry at a path; undefined if there is none. */
  async find(root: string, path: string): Promise<TreeEntry | undefined> {
    let at: TreeEntry = { mode: FOLDER_MODE, id: root };
    for (const name of path.split('/')) {
      if (at.mode !== FOLDER_MODE) return undefined;
      const entry = entryOf(this.#cached(at.id) ?? (await this.#read(at.id)), name);
      if (!entry) return undefined;
      at = entry;
    }
    return at;
  }

  /** The entries called `wanted` in the folders that lead to a path. */
  async findAlong(root: string, path: string, wanted: string): Promise<TreeEntry[]> {
    const found: TreeEntry[] = [];
    let at: TreeEntry | undefined = { mode: FOLDER_MODE, id: root };
    for (const name of path.split('/')) {
      if (at?.mode !== FOLDER_MODE) break;
      const tree: Tree = this.#cached(at.id) ?? (await this.#read(at.id));
      const entry = entryOf(tree, wanted);
      if (entry) found.push(entry);
      at = entryOf(tree, name);
    }
    return found;
  }

  /** Applies edits to a tree. Throws for a path below a submodule. */
  async edit(root: string, edits: TreeEdits): Promise<string> {
    return (await this.#edit(root, edits)) ?? this.#writer.write('tree', Buffer.alloc(0));
  }

  /** Builds a tree of just these files. */
  async build(files: TreeEdits): Promise<string> {
    return (await this.#edit(undefined, files)) ?? this.#writer.write('tree', Buffer.alloc(0));
  }

  /** All files that differ, in no particular order; undefined as soon as `isWanted` rejects one. */
  async difference(
    from: string,
    to: string,
    isWanted: (difference: TreeDifference) => boolean,
  ): Promise<TreeDifference[] | undefined> {
    const found: TreeDifference[] = [];
    const take = (difference: TreeDifference) => isWanted(difference) && found.push(difference) > 0;
    return (await this.#collect('', from, to, take)) ? found : undefined;
  }

  /** The ids of the trees in `to` that differ from those at the same path in `from`; undefined if more than `most`. */
  async treesSince(from: string, to: string, most: number): Promise<string[] | undefined> {
    const found: string[] = [];
    return (await this.#collectTrees(from, to, found, most)) ? found : undefined;
  }

  /** The paths of all folders, each with a slash at its end, and '' for the root; undefined if more than `most`. */
  async folders(root: string, most: number): Promise<string[] | undefined> {
    const found: string[] = [];
    let level = [{ path: '', id: root }];
    while (level.length > 0) {
      if (found.length + level.length > most) return undefined;
      found.push(...level.map(({ path }) => path));
      const trees = await Promise.all(level.map(({ id }) => this.#readUncached(id)));
      level = trees.flatMap(({ names, ids }, at) =>
        [...names].flatMap(([name, slot]) =>
          slot.mode === FOLDER_MODE ? { path: `${level[at]?.path}${name}/`, id: ids[slot.at] ?? '' } : [],
        ),
      );
    }
    return found;
  }

  /** Everything in a tree, files and folders; undefined if there are more than `most` folders. */
  async paths(root: string, most: number): Promise<string[] | undefined> {
    const found: string[] = [];
    let level = [{ path: '', id: root }];
    for (let folders = 0; level.length > 0; ) {
      folders += level.length;
      if (folders > most) return undefined;
      const trees = await Promise.all(level.map(({ id }) => this.#readUncached(id)));
      const below: typeof level = [];
      for (const [at, { names, ids }] of trees.entries()) {
        for (const [name, slot] of names) {
          const path = `${level[at]?.path}${name}`;
          found.push(path);
          if (slot.mode === FOLDER_MODE) below.push({ path: `${path}/`, id: ids[slot.at] ?? '' });
        }
      }
      level = below;
    }
    return found;
  }

  async #collectTrees(from: string | undefined, to: string, found: string[], most: number): Promise<boolean> {
    if (from === to) return true;
    if (found.push(to) > most) return false;
    const [older, newer] = [from ? await this.#read(from) : EMPTY, await this.#read(to)];
    for (const name of differing(older, newer)) {
      const [, oldFolder] = fileOrFolder(entryOf(older, name));
      const [, newFolder] = fileOrFolder(entryOf(newer, name));
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
    let [older, newer] = [this.#cached(from), this.#cached(to)];
    if (!older || !newer) [older, newer] = await Promise.all([this.#readIfAny(from), this.#readIfAny(to)]);
    const folders: { name: string; before: string | undefined; after: string | undefined }[] = [];
    for (const name of differing(older, newer)) {
      const [oldFile, oldFolder] = fileOrFolder(entryOf(older, name));
      const [newFile, newFolder] = fileOrFolder(entryOf(newer, name));
      if ((oldFile || newFile) && !take({ path: prefix + name, before: oldFile, after: newFile })) return false;
      if (oldFolder !== undefined || newFolder !== undefined)
        folders.push({ name, before: oldFolder, after: newFolder });
    }
    // Several at once: waiting for each on its own takes longer than reading it.
    for (let at = 0; at < folders.length; at += READ_AT_ONCE) {
      const some = folders.slice(at, at + READ_AT_ONCE);
      const taken = some.map(({ name, before, after }) => this.#collect(`${prefix}${name}/`, before, after, take));
      if ((await Promise.all(taken)).includes(false)) return false;
    }
    return true;
  }

  /** Synchronous, because most trees are cached and an await for each would take longer. */
  #cached(id: string | undefined): Tree | undefined {
    return id === undefined ? EMPTY : this.#cache.get(id);
  }

  async #readIfAny(id: string | undefined): Promise<Tree> {
    return id === undefined ? EMPTY : this.#read(id);
  }

  /** The id of the edited tree; undefined if it is empty. */
  async #edit(root: string | undefined, edits: TreeEdits): Promise<string | undefined> {
    const old = this.#cached(root) ?? (await this.#readIfAny(root));
    const edited = new Map<string, TreeEntry | undefined>();
    for (const [name, { own, below }] of byFirstName(edits)) {
      const there = own === 'untouched' ? entryOf(old, name) : own;
      if (own !== 'untouched') edited.set(name, own);
      if (below.size === 0) continue;
      if (there?.mode === SUBMODULE) throw new Unanswerable('submodule');
      const folder = there?.mode === FOLDER_MODE ? there.id : undefined;
      // Nothing is below a file, so removing paths below it leaves the file as it is.
      if (there && !folder && [...below.values()].every((entry) => entry === undefined)) continue;
      const id = await this.#edit(folder, below);
      edited.set(name, id === undefined ? undefined : { mode: FOLDER_MODE, id });
    }
    const tree = withNewIds(old, edited) ?? withNewNames(old, edited);
    if (tree.ids.length === 0) return undefined;
    const id = this.#writer.write('tree', tree.content);
    this.#keep(id, tree);
    return id;
  }

  async #read(id: string): Promise<Tree> {
    const known = this.#cache.get(id);
    if (known) return known;
    const tree = await this.#readUncached(id);
    this.#keep(id, tree);
    return tree;
  }

  /** For a walk through everything, which would drop all that is worth caching. */
  async #readUncached(id: string): Promise<Tree> {
    const object = await this.#reader.read(id);
    if (object?.type !== 'tree') throw new Unanswerable('object-missing');
    return parse(object.content, id.length / 2);
  }

  #keep(id: string, { names, ids, content }: Tree): void {
    this.#cache.set(id, { names, ids, content: ownBytes(content) });
  }
}

const EMPTY: Tree = { names: new Map(), ids: [], content: Buffer.alloc(0) };

function entryOf({ names, ids }: Tree, name: string): TreeEntry | undefined {
  const slot = names.get(name);
  return slot && { mode: slot.mode, id: ids[slot.at] ?? '' };
}

/** Names whose entries differ. Fast if both sides share `names`, as after most edits, however large the folder. */
function differing(older: Tree, newer: Tree): string[] {
  if (older.names === newer.names) {
    const slots = older.ids.flatMap((id, at) => (id === newer.ids[at] ? [] : at));
    return slots.length === 0 ? [] : namesAt(older.names, new Set(slots));
  }
  const names: string[] = [];
  for (const [name, { at, mode }] of older.names) {
    const slot = newer.names.get(name);
    if (!slot || newer.ids[slot.at] !== older.ids[at] || slot.mode !== mode) names.push(name);
  }
  for (const name of newer.names.keys()) if (!older.names.has(name)) names.push(name);
  return names;
}

function namesAt(names: Names, slots: ReadonlySet<number>): string[] {
  const found: string[] = [];
  for (const [name, { at }] of names) {
    if (!slots.has(at)) continue;
    found.push(name);
    if (found.length === slots.size) break;
  }
  return found;
}

function fileOrFolder(entry: TreeEntry | undefined): [file: TreeEntry | undefined, folder: string | undefined] {
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

/** A tree is a sequence of `<mode> <name>\0<id in bytes>`. */
function parse(content: Buffer, idBytes: number): Tree {
  const names = new Map<string, Slot>();
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

/** The usual edit: some names get new contents and nothing else changes. Undefined for any other edit. */
function withNewIds({ names, ids, content }: Tree, edited: TreeEdits): Tree | undefined {
  const newIds = ids.slice();
  const newContent = Buffer.from(content);
  for (const [name, entry] of edited) {
    const slot = names.get(name);
    if (!slot || slot.mode !== entry?.mode) return undefined;
    newIds[slot.at] = entry.id;
    newContent.write(entry.id, slot.idAt, 'hex');
  }
  return { names, ids: newIds, content: newContent };
}

/** Any edit. Git sorts names by their bytes, those of folders as if they ended in a slash. */
function withNewNames(old: Tree, edited: TreeEdits): Tree {
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

/** A path with one character for each byte, as `Trees` uses them, because names need not be UTF-8. */
export function pathBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}

/** The reverse of `pathBytes`; bytes that are not UTF-8 are lost. */
export function pathText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
