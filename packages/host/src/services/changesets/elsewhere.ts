import { type ContentRef, type FileEdit, fileUriIn, type URI } from '@moorage/protocol';
import { SUBMODULE } from '../../ports/file-modes.js';
import { FilesError } from '../../ports/files.js';
import type { StateId, Workspace } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { decoded } from '../decoded.js';
import {
  MAX_ELSEWHERE_CHANGES,
  MAX_ELSEWHERE_FILE_BYTES,
  MAX_ELSEWHERE_FILES,
  MAX_LIVE_BYTES,
  MAX_REMEMBERED_BYTES,
  MAX_REMEMBERED_ENTRIES,
  MAX_REMEMBERED_FILES,
} from './limits.js';
import { countedLines } from './line-counts.js';
import type { ShownChange } from './notes.js';
import type { RunningTurn } from './running-turns.js';

/** Where a file is that the states of a folder do not have. */
type Why = 'ignored' | 'nested' | 'outside';

/** What turns made of such a file, from the first to the last of them. */
interface ElsewhereFile {
  readonly why: Why;
  readonly before?: ContentRef;
  readonly after?: ContentRef;
  /** It was there before, or not; nobody knows with which content. */
  readonly isBeforeUnknown?: true;
  readonly added?: number;
  readonly removed?: number;
}

type ElsewhereFiles = Readonly<Record<URI, ElsewhereFile>>;

/** What was at the top of a folder: the names of everything, and the contents of some ignored files. */
interface TopFolder {
  readonly names: ReadonlySet<string>;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** The same while a turn runs, the edits of it that are in there, and the bytes that were read for it. */
interface LiveTurn {
  readonly files: ElsewhereFiles;
  readonly reports: number;
  readonly bytes: number;
}

/** The folder of a turn, with its states before and after it. */
export interface TurnFolder {
  readonly workspace: Workspace;
  readonly folder: string;
  readonly folderUri: URI;
  readonly begin: StateId;
  readonly end: StateId;
  /** Paths that the watcher has reported while the turn's calls ran. */
  readonly touched: readonly string[];
}

export interface ElsewhereOptions {
  store(session: URI, content: Uint8Array): ContentRef;
  contentAt(uri: URI): Uint8Array | undefined;
}

/**
 * Changes that no state of a folder shows: in ignored files, in nested repositories, outside the folder. It knows what
 * agents report, and small files that the watcher reports; never what is in folders of dependencies and builds.
 */
export class Elsewhere {
  readonly #context: HostContext;
  readonly #options: ElsewhereOptions;
  readonly #edits = new Map<string, FileEdit[]>();
  /** What is known of the sessions of turns that run, and how much was read and stored to know it. */
  readonly #live = new Map<string, LiveTurn>();
  /** The top of each folder when the turn began, by the folder's real path. */
  readonly #earlier = new Map<string, Map<string, TopFolder>>();

  constructor(context: HostContext, options: ElsewhereOptions) {
    this.#context = context;
    this.#options = options;
  }

  /**
   * Remembers small files at the top of a folder that its state does not have, such as `.env`. The agent waits for this, so
   * it reads only some of them: the first by name, which are those with a dot.
   */
  async begin(turn: RunningTurn, folder: string, workspace: Workspace, state: StateId): Promise<void> {
    const entries = await this.#context.files.list(folder, within(folder)).catch(ifMissing([]));
    const contents = new Map<string, Uint8Array>();
    let size = 0;
    for (const { name, type } of entries.slice(0, MAX_REMEMBERED_ENTRIES)) {
      if (contents.size >= MAX_REMEMBERED_FILES || size > MAX_REMEMBERED_BYTES) break;
      if (type !== 'file' || (await workspace.find(state, name))) continue;
      const bytes = await this.#read(folder, name);
      if (bytes) contents.set(name, bytes);
      size += bytes?.length ?? 0;
    }
    const earlier = this.#earlier.get(keyOf(turn)) ?? new Map<string, TopFolder>();
    this.#earlier.set(keyOf(turn), earlier.set(folder, { names: new Set(entries.map(({ name }) => name)), contents }));
  }

  /** The agent says that it has edited this file. */
  reported(turn: RunningTurn, edit: FileEdit): void {
    const edits = this.#edits.get(keyOf(turn)) ?? [];
    if (edits.length < MAX_ELSEWHERE_CHANGES) this.#edits.set(keyOf(turn), [...edits, edit]);
  }

  /** How many edits the agent has reported, as far as they are kept. */
  reports(turn: RunningTurn): number {
    return this.#edits.get(keyOf(turn))?.length ?? 0;
  }

  /**
   * Takes note of what the turn has changed so far: the paths of `folders`, and its first `reports` edits. Nothing of it is
   * recorded before the turn ends. Returns whether anything is different now.
   */
  async follow(turn: RunningTurn, folders: readonly TurnFolder[], reports: number): Promise<boolean> {
    const { session } = turn;
    const live = this.#live.get(keyOf(turn)) ?? { files: { ...this.#files(session) }, reports: 0, bytes: 0 };
    const known = JSON.stringify(live.files);
    const edits = (this.#edits.get(keyOf(turn)) ?? []).slice(live.reports, reports);
    const files = { ...live.files };
    await this.#noteEdits(files, folders, edits);
    const bytes = await this.#noteTouched(files, turn, folders, MAX_LIVE_BYTES - live.bytes);
    if (!this.#earlier.has(keyOf(turn))) return false; // it has ended meanwhile
    this.#live.set(keyOf(turn), { files, reports: Math.max(reports, live.reports), bytes: live.bytes + bytes });
    return JSON.stringify(files) !== known;
  }

  /** Records what the turn changed where the states of its folders do not show it. Call when it has ended. */
  async end(turn: RunningTurn, folders: readonly TurnFolder[]): Promise<void> {
    const { session } = turn;
    const files: Record<URI, ElsewhereFile> = { ...this.#files(session) };
    await this.#noteEdits(files, folders, this.#edits.get(keyOf(turn)) ?? []);
    await this.#noteTouched(files, turn, folders, Number.POSITIVE_INFINITY);
    this.forget(turn);
    const json = JSON.stringify(files);
    if (json !== JSON.stringify(this.#files(session)))
      this.#context.door.documents.keep({ collection: 'changes', key: documentKey(session), session, json });
  }

  forget(turn: RunningTurn): void {
    this.#edits.delete(keyOf(turn));
    this.#earlier.delete(keyOf(turn));
    this.#live.delete(keyOf(turn));
  }

  /** What the turns of a session are known to have changed; paths and content ids are URIs here. */
  changes(session: URI): ShownChange[] {
    return Object.entries(this.#filesNow(session)).map(([uri, file]) => {
      const { why, before, after, isBeforeUnknown, added, removed } = file;
      const side = ({ uri: contentId, sizeHint }: ContentRef) => ({
        path: uri,
        contentId,
        mode: '100644',
        ...(sizeHint !== undefined && { size: sizeHint }),
      });
      return {
        ...(before && { before: side(before) }),
        ...(after && { after: side(after) }),
        ...(added !== undefined && { added }),
        ...(removed !== undefined && { removed }),
        notes: { elsewhere: why, ...(isBeforeUnknown && { beforeUnknown: true }) },
      };
    });
  }

  async #noteEdits(
    files: Record<URI, ElsewhereFile>,
    folders: readonly TurnFolder[],
    edits: readonly FileEdit[],
  ): Promise<void> {
    for (const { before, after } of edits) {
      const isMove = before && after && before.uri !== after.uri;
      if (before && (isMove || !after)) await this.#note(files, folders, before.uri, before.content, undefined);
      if (after) await this.#note(files, folders, after.uri, isMove ? undefined : before?.content, after.content);
    }
  }

  /** Reads the paths that the turn has touched, as long as they have no more than `most` bytes. Returns how many they had. */
  async #noteTouched(
    files: Record<URI, ElsewhereFile>,
    turn: RunningTurn,
    folders: readonly TurnFolder[],
    most: number,
  ): Promise<number> {
    const touched = folders
      .flatMap((at) => at.touched.filter((path) => !isGenerated(path)).map((path) => ({ at, path })))
      .slice(0, MAX_ELSEWHERE_CHANGES);
    let size = 0;
    for (const { at, path } of touched) {
      if (size >= most) break;
      const earlier = this.#earlier.get(keyOf(turn))?.get(at.folder);
      const uri = fileUriIn(at.folderUri, path);
      const was = earlier?.contents.get(path);
      const now = await this.#read(at.folder, path);
      size += now?.length ?? 0;
      if (isSame(was, now) && files[uri] === undefined) continue; // nothing, or a folder, or a large file
      const isNew = earlier !== undefined && !path.includes('/') && !earlier.names.has(path);
      const isKnown = was !== undefined || files[uri] !== undefined || isNew;
      const store = (bytes: Uint8Array | undefined) => bytes && this.#options.store(turn.session, bytes);
      if (await whereIs(folders, uri)) await this.#note(files, folders, uri, store(was), store(now), isKnown);
    }
    return size;
  }

  /** Adds a change of a file to what is known of it, if the states of the folders do not show it. */
  async #note(
    files: Record<URI, ElsewhereFile>,
    folders: readonly TurnFolder[],
    uri: URI,
    before: ContentRef | undefined,
    after: ContentRef | undefined,
    isBeforeKnown = true,
  ): Promise<void> {
    const why = await whereIs(folders, uri);
    const known = files[uri];
    if (!why || (!known && Object.keys(files).length >= MAX_ELSEWHERE_FILES)) return;
    const first = known ? known.before : before;
    const isUnknown = known ? known.isBeforeUnknown === true : !isBeforeKnown;
    const [old, now] = [this.#bytes(first), this.#bytes(after)];
    if (!isUnknown && isSame(old, now)) {
      delete files[uri];
      return;
    }
    files[uri] = {
      why,
      ...(first && { before: first }),
      ...(after && { after }),
      ...(isUnknown ? { isBeforeUnknown: true } : countedLines(old ?? NOTHING, now ?? NOTHING)),
    };
  }

  /** What is recorded, with what turns that still run have made of it. */
  #filesNow(session: URI): ElsewhereFiles {
    const recorded = this.#files(session);
    const now: Record<URI, ElsewhereFile> = { ...recorded };
    for (const [key, { files }] of this.#live) {
      if (!key.startsWith(`${session} `)) continue;
      for (const uri of Object.keys(recorded)) if (!files[uri]) delete now[uri]; // it is as it was before
      Object.assign(now, files);
    }
    return now;
  }

  #files(session: URI): ElsewhereFiles {
    const json = this.#context.door.documents.read('changes', documentKey(session));
    return json === undefined ? {} : (JSON.parse(json) as ElsewhereFiles);
  }

  #bytes(ref: ContentRef | undefined): Uint8Array | undefined {
    return ref && this.#options.contentAt(ref.uri);
  }

  /** Undefined if there is no such file, or a large one. */
  async #read(folder: string, path: string): Promise<Uint8Array | undefined> {
    const reading = this.#context.files.read(`${folder}/${path}`, within(folder), MAX_ELSEWHERE_FILE_BYTES);
    return (await reading.catch(ifMissing(undefined)))?.bytes;
  }
}

/** Folders of dependencies, builds and tools, by name: nobody reviews what is in them. */
const GENERATED = new Set([
  ...['.git', 'node_modules', 'bower_components', '.pnpm-store', '.yarn', 'vendor', '.venv', 'venv', '__pycache__'],
  ...['.tox', '.mypy_cache', '.pytest_cache', '.ruff_cache', 'target', 'dist', 'build', 'out', 'coverage', '.gradle'],
  ...['.next', '.nuxt', '.turbo', '.parcel-cache', '.cache', '.terraform', '.direnv', '.idea', '.vs', 'tmp', 'logs'],
]);

export function isGenerated(path: string): boolean {
  return path.split('/').some((segment) => GENERATED.has(segment) || segment.startsWith('.moorage-'));
}

/** Where a file is; undefined if the states of the folders show it. */
async function whereIs(folders: readonly TurnFolder[], uri: URI): Promise<Why | undefined> {
  const at = folders.find(({ folderUri }) => uri.startsWith(fileUriIn(folderUri, '')));
  const path = at && decoded(uri.slice(fileUriIn(at.folderUri, '').length));
  if (!at || path === undefined) return 'outside';
  const { workspace, begin, end } = at;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    if ((await workspace.find(end, path.slice(0, slash)))?.mode === SUBMODULE) return 'nested';
  return (await workspace.find(end, path)) || (await workspace.find(begin, path)) ? undefined : 'ignored';
}

function within(folder: string) {
  return {
    may: (access: string, path: string) => access === 'read' && (path === folder || path.startsWith(`${folder}/`)),
  };
}

/** What cannot be read is not known; anything else is a bug. */
function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof FilesError) return otherwise;
    throw error;
  };
}

const NOTHING: Uint8Array = new Uint8Array();

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other;
}

function documentKey(session: URI): string {
  return `elsewhere ${session}`;
}

function keyOf({ session, turnId }: RunningTurn): string {
  return `${session} ${turnId}`;
}
