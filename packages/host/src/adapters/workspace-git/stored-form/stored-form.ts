import { statSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, REGULAR } from '../../../ports/file-modes.js';
import type { FileChange, StateId } from '../../../ports/workspace.js';
import { KeyedQueue } from '../../../queues/keyed-queue.js';
import { isCrlfText, toStoredLineEnds } from '../../shared/git/line-ends.js';
import { inPlainView } from '../../shared/git/plain-view.js';
import { splitRecords } from '../../shared/git/records.js';
import type { Repository } from '../../shared/git/repository.js';
import type { Scratch } from '../../shared/git/scratch.js';
import { MAX_IN_PROCESS_DIFFERENCES } from '../limits.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { Opened } from '../objects/objects.js';
import { Recent } from '../objects/recent.js';
import { copyIndex } from '../repository/copy-index.js';
import { pathBytes, type TreeEntry } from '../states/trees.js';
import { type Conversion, type ConversionSettings, conversionsOf } from './conversion.js';

/** A state of the folder as git would store it. Paths have one character per byte. */
interface Stored {
  readonly state: StateId;
  /** The ids of the contents on disk, where git stores others. */
  readonly onDisk: ReadonlyMap<string, string>;
  /** Files that are shown as they are on disk, because their filter may not run; with its name. */
  readonly notFiltered: ReadonlyMap<string, string>;
}

/** What is known of the last state that was asked for. */
interface Known extends Stored {
  readonly from: StateId;
  readonly settings: string;
  /** Whether anything is converted in this folder at all. */
  readonly converts: boolean;
  readonly index: string;
  /** Files whose form depends on what the user's index says about them. */
  readonly byIndex: ReadonlySet<string>;
}

/**
 * Finds how git would store a state of the folder: with other line ends, or filtered. Git compares files in that form, so
 * changes since a commit are shown in it. Line ends are converted in this process; for the rest git is asked, and only
 * about files that are not as the user's index says.
 */
export class StoredForm {
  readonly #repository: Repository;
  readonly #reader: ObjectReader;
  readonly #scratch: Scratch;
  /** Stored contents by what they were made of. */
  readonly #converted = new Recent<string, string>(MAX_REMEMBERED);
  /** By path, whether and how git converts a file. */
  #conversions = newConversions();
  #known: Known | undefined;
  readonly #queue = new KeyedQueue();

  constructor(repository: Repository, reader: ObjectReader, scratch: Scratch) {
    this.#repository = repository;
    this.#reader = reader;
    this.#scratch = scratch;
  }

  /** One after the other: several views ask for the same state at the same moment, and the first finds it out for all. */
  of(opened: Opened, state: StateId, settings: ConversionSettings): Promise<Stored> {
    return this.#queue.run('', () => this.#of(opened, state, settings));
  }

  async #of(opened: Opened, state: StateId, settings: ConversionSettings): Promise<Stored> {
    const index = fingerprintOf(this.#repository.index);
    const known = this.#known;
    const isCurrent = known?.settings === settings.fingerprint;
    if (isCurrent && known.from === state && (known.index === index || known.byIndex.size === 0)) return known;
    const changed = isCurrent ? await this.#changedSince(opened, known, state) : undefined;
    const now =
      known && changed
        ? await this.#follow(opened, known, state, changed, settings)
        : await this.#all(opened, state, settings);
    this.#known = { ...now, from: state, settings: settings.fingerprint, index };
    return this.#known;
  }

  /** Undefined if so much has changed, or the attributes have, that everything must be found out again. */
  async #changedSince(
    opened: Opened,
    known: Known,
    state: StateId,
  ): Promise<Map<string, TreeEntry | undefined> | undefined> {
    let count = 0;
    const differences = await opened.objects.trees.difference(
      known.from,
      state,
      ({ path }) => !/(?:^|\/)\.gitattributes$/.test(path) && ++count <= MAX_IN_PROCESS_DIFFERENCES,
    );
    return differences && new Map(differences.map(({ path, after }) => [path, after]));
  }

  async #follow(
    opened: Opened,
    known: Known,
    state: StateId,
    changed: Map<string, TreeEntry | undefined>,
    settings: ConversionSettings,
  ) {
    if (!known.converts) return { ...known, state };
    for (const path of known.byIndex)
      if (!changed.has(path)) changed.set(path, await opened.objects.trees.find(state, path));
    const found = await this.#convert(opened, changed, settings);
    const edits = new Map([...changed].map(([path, entry]) => [path, found.entries.get(path) ?? entry]));
    const [onDisk, notFiltered, byIndex] = [
      new Map(known.onDisk),
      new Map(known.notFiltered),
      new Set([...known.byIndex].filter((path) => !changed.has(path))),
    ];
    for (const path of changed.keys()) {
      onDisk.delete(path);
      notFiltered.delete(path);
    }
    for (const [path, id] of found.onDisk) onDisk.set(path, id);
    for (const [path, filter] of found.notFiltered) notFiltered.set(path, filter);
    for (const path of found.byIndex) byIndex.add(path);
    return {
      state: await opened.objects.trees.edit(known.state, edits),
      converts: true,
      onDisk,
      notFiltered,
      byIndex,
    };
  }

  async #all(opened: Opened, state: StateId, settings: ConversionSettings) {
    this.#conversions = newConversions();
    const { shadow, objects } = opened;
    const listed = splitRecords(await shadow.run(['ls-tree', '-r', '-z', '--full-tree', state]));
    const entries = new Map(
      listed.map((record): [string, TreeEntry] => {
        const tab = record.indexOf('\t');
        const [mode = '', , id = ''] = record.slice(0, tab).split(' ');
        return [record.slice(tab + 1), { mode, id }];
      }),
    );
    const found = await this.#convert(opened, entries, settings);
    const hasAttributes = settings.hasAttributes || [...entries.keys()].some((path) => path.endsWith('.gitattributes'));
    return {
      state: found.entries.size === 0 ? state : await objects.trees.edit(state, found.entries),
      converts: settings.autocrlf !== 'false' || hasAttributes,
      onDisk: found.onDisk,
      notFiltered: found.notFiltered,
      byIndex: found.byIndex,
    };
  }

  async #convert(opened: Opened, files: ReadonlyMap<string, TreeEntry | undefined>, settings: ConversionSettings) {
    const prefix = this.#repository.prefix === '' ? '' : `${pathBytes(this.#repository.prefix)}/`;
    const regular = [...files].filter(([, entry]) => entry && (entry.mode === REGULAR || entry.mode === EXECUTABLE));
    await this.#learnConversions(
      opened,
      regular.map(([path]) => prefix + path),
      settings,
    );
    const index = new UserEntries(opened, this.#repository, this.#scratch);
    const entries = new Map<string, TreeEntry>();
    const onDisk = new Map<string, string>();
    const notFiltered = new Map<string, string>();
    const byIndex = new Set<string>();
    for (const [path, entry] of regular) {
      const conversion = this.#conversions.get(prefix + path);
      if (!entry || !conversion || conversion === 'none') continue;
      const asked = {
        opened,
        path: prefix + path,
        id: entry.id,
        conversion,
        index,
        usesIndex: () => void byIndex.add(path),
      };
      const id = await this.#stored(asked);
      if (id === undefined) notFiltered.set(path, conversion.barredFilter ?? '');
      if (id === undefined || id === entry.id) continue;
      entries.set(path, { mode: entry.mode, id });
      onDisk.set(path, entry.id);
    }
    return { entries, onDisk, notFiltered, byIndex };
  }

  async #learnConversions(opened: Opened, paths: readonly string[], settings: ConversionSettings): Promise<void> {
    const unknown = paths.filter((path) => !this.#conversions.has(path));
    const found = await conversionsOf(opened.shadow.git, this.#repository, unknown, settings);
    for (const path of unknown) this.#conversions.set(path, found.get(path) ?? 'none');
  }

  /** The id of the content that git would store; undefined if its filter may not run. */
  async #stored({ opened, path, id, conversion, index, usesIndex }: Asked): Promise<string | undefined> {
    const { byGit, barredFilter, lineEnds } = conversion;
    if (!byGit && barredFilter === undefined) {
      const hasCrlf = async () => {
        usesIndex();
        const stored = await index.find(path);
        const content = stored === undefined ? undefined : (await this.#reader.read(stored))?.content;
        return content !== undefined && isCrlfText(content);
      };
      const key = `${id} ${lineEnds}`;
      const known = this.#converted.get(key);
      if (known) return known;
      const content = (await this.#reader.read(id))?.content;
      if (!content || opened.objects.placeholders.get(id)) return id;
      const stored = await toStoredLineEnds(content, lineEnds, hasCrlf);
      if (stored === content) return id;
      const storedId = opened.objects.writer.write('blob', stored);
      if (!lineEnds.startsWith('auto')) this.#converted.set(key, storedId);
      return storedId;
    }
    usesIndex();
    const unchanged = await index.unchanged(path);
    if (unchanged !== undefined) return unchanged;
    if (barredFilter !== undefined) return undefined;
    const key = `${id} ${path}`;
    const known = this.#converted.get(key);
    if (known) return known;
    const content = (await this.#reader.read(id))?.content;
    if (!content || opened.objects.placeholders.get(id)) return id;
    const storedId = await this.#askGit(opened, path, content);
    this.#converted.set(key, storedId);
    return storedId;
  }

  /** Lets git convert a content, with filters of the user's own only, and keeps the result in the host's store. */
  #askGit({ shadow }: Opened, path: string, content: Buffer): Promise<string> {
    const { directory } = shadow;
    const env = { GIT_OBJECT_DIRECTORY: join(directory, 'objects') };
    const name = Buffer.from(path, 'latin1').toString();
    return inPlainView(shadow.git, { folder: this.#repository.top, scratch: this.#scratch, env }, async (run) =>
      (await run(['hash-object', '-w', '--stdin', `--path=${name}`], { input: content })).toString().trim(),
    );
  }
}

function newConversions(): Map<string, Conversion | 'none'> {
  return new Map();
}

/** Marks changes whose files git stores in another form than they have on disk. */
export function withForms(changes: readonly FileChange[], { onDisk, notFiltered }: Stored): FileChange[] {
  if (onDisk.size + notFiltered.size === 0) return changes as FileChange[];
  return changes.map((change) => {
    const { after } = change;
    const path = after && pathBytes(after.path);
    const contentOnDisk = path === undefined ? undefined : onDisk.get(path);
    const filter = path === undefined ? undefined : notFiltered.get(path);
    if (after && filter !== undefined) {
      const { added: _added, removed: _removed, ...others } = change;
      return { ...others, notFiltered: filter };
    }
    return after && contentOnDisk !== undefined ? { ...change, after: { ...after, onDisk: contentOnDisk } } : change;
  });
}

interface Asked {
  readonly opened: Opened;
  readonly path: string;
  readonly id: string;
  readonly conversion: Conversion;
  readonly index: UserEntries;
  readonly usesIndex: () => void;
}

/** Contents whose stored form is remembered. */
const MAX_REMEMBERED = 20_000;

/** What the user's index says about files. Read when it is first asked. */
class UserEntries {
  readonly #opened: Opened;
  readonly #repository: Repository;
  readonly #scratch: Scratch;
  #read: Promise<{ entries: Map<string, string>; dirty: Set<string> }> | undefined;

  constructor(opened: Opened, repository: Repository, scratch: Scratch) {
    this.#opened = opened;
    this.#repository = repository;
    this.#scratch = scratch;
  }

  /** The id of a file's content in the index. */
  async find(path: string): Promise<string | undefined> {
    return (await this.#all()).entries.get(path);
  }

  /** The same, if the file has not been touched since git looked at it. */
  async unchanged(path: string): Promise<string | undefined> {
    const { entries, dirty } = await this.#all();
    return dirty.has(path) ? undefined : entries.get(path);
  }

  #all() {
    this.#read ??= this.#scratch.use(async (folder) => {
      const { run } = this.#opened.shadow;
      const index = join(folder, 'index');
      const entries = new Map<string, string>();
      if (!(await copyIndex(this.#repository.index, index, run))) return { entries, dirty: new Set<string>() };
      for (const record of splitRecords(await run(['ls-files', '--stage', '-z'], { index }))) {
        const tab = record.indexOf('\t');
        const [, id = '', stage] = record.slice(0, tab).split(' ');
        if (stage === '0') entries.set(record.slice(tab + 1), id);
      }
      // Git would start another one in each submodule, with that one's own settings, to see whether it has changes.
      const list = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
      return { entries, dirty: new Set(splitRecords(await run(list, { index }))) };
    });
    return this.#read;
  }
}

function fingerprintOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : '';
}
