import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { FolderEditor } from '../../ports/folder-editor.js';
import type { Log } from '../../ports/log.js';
import type { Telemetry } from '../../ports/telemetry.js';
import type { Watcher } from '../../ports/watcher.js';
import type { Abortable, StateObject, Workspace, Workspaces } from '../../ports/workspace.js';
import { KeyedQueue } from '../../queues/keyed-queue.js';
import { GitLife } from '../shared/git/git-life.js';
import type { RepositoryRules } from '../shared/git/repository-rules.js';
import type { Scratch } from '../shared/git/scratch.js';
import { KnownModes } from '../shared/known-modes.js';
import type { RememberedFolder } from '../shared/remembered-folder.js';
import { removeLeftovers, useStores } from './keeping/leftovers.js';
import { type UpkeepLimits, USUAL_UPKEEP } from './keeping/upkeep.js';
import { MAX_NEW_FILES } from './limits.js';
import { ObjectReader } from './objects/object-reader.js';
import { whyNotKept } from './objects/placeholders.js';
import { GitWorkspace } from './workspace.js';

export interface KeptInGitOptions {
  /** Where the host keeps its repositories, one folder for each workspace. */
  readonly directory: string;
  /** Where git's temporary files go. */
  readonly scratch: Scratch;
  readonly clock: Clock;
  readonly log: Log;
  /** Measures git commands. */
  readonly telemetry?: Telemetry | undefined;
  /** Which repositories may be used, and which are trusted; by default only a folder's own, and none. */
  readonly repositories?: RepositoryRules | undefined;
  /** Whether checkpoints read only what the watcher reported, which is the default. Otherwise each is a scan. */
  readonly tracks?: boolean;
  /** How many files a store may have before it is packed. */
  readonly upkeep?: UpkeepLimits;
  /** New files that one scan takes in; folders with more are left out, and `describe` says so. */
  readonly mostNewFiles?: number;
  readonly watcher: Watcher;
  /** Creates the editor that changes a folder's files, with contents from its store. */
  readonly editor: (place: RememberedFolder) => FolderEditor;
}

interface OpenWorkspace {
  readonly kept: GitWorkspace;
  readonly workspace: Workspace;
  /** Made when it is first needed. */
  editor?: FolderEditor;
}

/** Workspaces whose states are kept by git, in bare repositories of the host's own. */
export function keptInGit(options: KeptInGitOptions): Workspaces {
  const {
    directory,
    scratch,
    clock,
    log,
    telemetry,
    repositories,
    tracks = true,
    upkeep = USUAL_UPKEEP,
    watcher,
  } = options;
  const life = new GitLife({ telemetry, rules: repositories });
  const queue = new KeyedQueue();
  const markUnused = useStores(directory, clock.now());
  const workspaces = new Map<string, OpenWorkspace>();
  const readers = new Map<string, ObjectReader>();
  const readerOf = (id: string) => {
    const reader = readers.get(id) ?? new ObjectReader(join(directory, id), clock);
    readers.set(id, reader);
    return reader;
  };
  const openWorkspace = (folder: string) => {
    const known = workspaces.get(folder);
    if (known) return known;
    const id = idOf(folder);
    const reader = readerOf(id);
    const own = join(directory, id);
    const kept = new GitWorkspace({
      id,
      folder,
      directory: own,
      modes: new KnownModes(folder, join(own, 'modes.json')),
      scratch,
      reader,
      life,
      queue,
      telemetry,
      watcher,
      clock,
      log,
      tracks,
      upkeep,
      mostNewFiles: options.mostNewFiles ?? MAX_NEW_FILES,
    });
    const opened: OpenWorkspace = { kept, workspace: withLife(kept, life) };
    workspaces.set(folder, opened);
    return opened;
  };
  const readObject = async (id: string, objectId: string): Promise<StateObject | undefined> => {
    // Clients may ask for any id, and a reader stays.
    if (!readers.has(id) && !(ID.test(id) && existsSync(join(directory, id)))) return undefined;
    const { type, content } = (await readerOf(id).read(objectId)) ?? {};
    if (content === undefined || (type !== 'blob' && type !== 'tree')) return undefined;
    const notKept = type === 'blob' ? whyNotKept(join(directory, id), objectId, content) : undefined;
    return { type, content, ...(notKept && { notKept }) };
  };
  const self: Workspaces = {
    idOf,
    open: (folder) => openWorkspace(folder).workspace,
    editor(folder) {
      const opened = openWorkspace(folder);
      if (opened.editor) return opened.editor;
      const { kept } = opened;
      const { id } = kept;
      const read = async (contentId: string) => {
        const content = await self.read(id, contentId);
        return content instanceof Uint8Array ? content : undefined;
      };
      opened.editor = options.editor({
        git: life.lastingGit(folder),
        finish: (work) => life.finish(work),
        folder,
        directory: join(directory, id),
        modes: kept.modes,
        read,
        has: async (ids) => (await readerOf(id).sizes(ids)).map((size) => size !== undefined),
        beforeGit: () => kept.flush(),
        wrote: (paths) => kept.wrote(paths),
        mayConvert: () => kept.mayConvert().catch(() => true), // when the host stops, the editor's own git still answers
        answer: (question, ask, freshness) => kept.answers.to(question, ask, freshness),
        answerOfIndex: (question, ask, freshness) => kept.indexAnswers.to(question, ask, freshness),
      });
      return opened.editor;
    },
    async read(id, contentId) {
      const object = await readObject(id, contentId);
      return object?.type === 'blob' ? (object.notKept ?? object.content) : undefined;
    },
    objects: {
      read: readObject,
      add: (folder, objects) => life.run(() => openWorkspace(folder).kept.addObjects(objects)),
    },
    retainOnly: (workspaceIds, olderThan, options) =>
      life.run(async () => {
        const used = new Set([...workspaceIds, ...[...workspaces.values()].map(({ workspace }) => workspace.id)]);
        for (const name of await readdir(directory).catch(() => [])) {
          if (options?.signal?.aborted) return;
          if (name.length !== ID_CHARS || used.has(name)) continue;
          const own = join(directory, name);
          if ((await stat(own)).mtimeMs < olderThan) await rm(own, { recursive: true, force: true });
        }
      }, options?.signal),
    async close() {
      const closeAll = () => Promise.all([...workspaces.values()].map(({ kept }) => kept.close()));
      const closing = closeAll(); // may wait for a git that hangs until the life ends
      const wasBusy = await life.end();
      await closing;
      await closeAll(); // a checkpoint that has just ended may have started its tracker
      await Promise.all([...readers.values()].map((reader) => reader.close()));
      const ids = [...workspaces.values()].map(({ workspace }) => workspace.id);
      if (wasBusy) await removeLeftovers(directory, ids, Number.POSITIVE_INFINITY);
      markUnused();
    },
  };
  return self;
}

/** The workspace with all its git work cancelled by closing, except that which changes the user's files. */
function withLife(workspace: GitWorkspace, life: GitLife): Workspace {
  const run = <T>(work: () => Promise<T>, options?: Abortable) => life.run(work, options?.signal);
  return {
    id: workspace.id,
    describe: (options) => run(() => workspace.describe(options), options),
    checkpoint: (options) => run(() => workspace.checkpoint(options), options),
    quickCheckpoint: (options) => run(() => workspace.quickCheckpoint(options), options),
    reference: (what, options) => run(() => workspace.reference(what, options), options),
    ofCommit: (commit, options) => run(() => workspace.ofCommit(commit, options), options),
    compare: (from, to, options) => run(() => workspace.compare(from, to, options), options),
    compareStored: (from, to, options) => run(() => workspace.compareStored(from, to, options), options),
    compose: (files, options) => run(() => workspace.compose(files, options), options),
    find: (state, path) => run(() => workspace.find(state, path)),
    add: (content) => run(() => workspace.add(content)),
    keep: (changes, options) => run(() => workspace.keep(changes, options), options),
    keepNames: (state, options) => run(() => workspace.keepNames(state, options), options),
    retain: (wanted, options) => run(() => workspace.retain(wanted, options), options),
    betweenCheckpoints: (work) => life.finish(() => workspace.betweenCheckpoints(work)),
    watch: (listener) => workspace.watch(listener),
  };
}

function idOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, ID_CHARS);
}

/** Enough digits of a path's hash that no two folders on one machine share them. */
const ID_CHARS = 24;
const ID = new RegExp(`^[0-9a-f]{${ID_CHARS}}$`);
