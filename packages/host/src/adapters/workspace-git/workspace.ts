import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Telemetry } from '../../ports/telemetry.js';
import type { Watcher } from '../../ports/watcher.js';
import type {
  Abortable,
  CheckpointOptions,
  CompareOptions,
  CompareStoredOptions,
  FileChange,
  FileVersion,
  Freshness,
  PresentOptions,
  QuickCheckpointOptions,
  ReferenceOptions,
  Retained,
  StateId,
  StateObject,
  Workspace,
  WorkspaceInfo,
  WorkspaceListener,
} from '../../ports/workspace.js';
import { WorkspaceError } from '../../ports/workspace.js';
import type { KeyedQueue } from '../../queues/keyed-queue.js';
import { type Git, GitRefusal } from '../shared/git/git.js';
import type { GitLife } from '../shared/git/git-life.js';
import type { Repository } from '../shared/git/repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import type { KnownModes } from '../shared/known-modes.js';
import { compareStates } from './comparing/compare.js';
import { Keeping } from './keeping/keeping.js';
import { retain } from './keeping/retain.js';
import { Upkeep, type UpkeepLimits } from './keeping/upkeep.js';
import { FOLDER_LINGER_MS, MAX_IN_PROCESS_DIFFERENCES, MODES_DELAY_MS } from './limits.js';
import type { ObjectReader } from './objects/object-reader.js';
import { Objects, type Opened } from './objects/objects.js';
import { forgetPlaceholders } from './objects/placeholders.js';
import { Commits, RepositoryAnswers } from './repository/commits.js';
import { openShadow, type Shadow } from './repository/shadow.js';
import { LeftOut } from './states/left-out.js';
import { readPaths } from './states/read-paths.js';
import { Scan } from './states/scan.js';
import { pathBytes, pathText } from './states/trees.js';
import { StoredForm, withForms } from './stored-form/stored-form.js';
import { ifAnswerable, isNotHere, type NotHere, notHere, Tiers } from './tiers.js';
import { FolderWatch } from './watching/folder-watch.js';
import { type Known, Tracker } from './watching/tracker.js';
import { reportsEveryChange } from './watching/watched-disks.js';

export interface GitWorkspaceOptions {
  readonly id: string;
  readonly folder: string;
  /** The host's bare repository for the folder. */
  readonly directory: string;
  readonly modes: KnownModes;
  readonly scratch: Scratch;
  readonly reader: ObjectReader;
  readonly life: GitLife;
  /** By the id of the workspace. */
  readonly queue: KeyedQueue;
  readonly watcher: Watcher;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry | undefined;
  /** Whether a checkpoint reads only what the watcher reported; otherwise each is a scan of the whole folder. */
  readonly tracks: boolean;
  readonly upkeep: UpkeepLimits;
  /** New files that one scan takes in. */
  readonly mostNewFiles: number;
}

/** A folder whose states are kept in the host's own bare repository. Checkpoints run one after the other. */
export class GitWorkspace implements Workspace {
  readonly id: string;
  /** About commits, branches and settings. */
  readonly answers: RepositoryAnswers;
  /** About what is staged as well. */
  readonly indexAnswers: RepositoryAnswers;
  readonly modes: KnownModes;
  readonly #queue: KeyedQueue;
  readonly #git: Git;
  readonly #life: GitLife;
  readonly #folder: string;
  readonly #directory: string;
  readonly #scratch: Scratch;
  readonly #leftOut: LeftOut;
  readonly #reader: ObjectReader;
  readonly #upkeep: Upkeep;
  readonly #clock: Clock;
  readonly #watch: FolderWatch;
  readonly #tracker: Tracker;
  readonly #tracks: boolean;
  readonly #commits: Commits;
  readonly #keeping: Keeping;
  readonly #scan: Scan;
  readonly #tiers: Tiers;
  #opened: Promise<Opened> | undefined;
  #idleTimer: unknown;
  #modesTimer: unknown;
  #hasScanned = false;

  constructor(options: GitWorkspaceOptions) {
    const { id, folder, directory, scratch, reader, life, watcher, clock, log, tracks, upkeep, mostNewFiles } = options;
    this.id = id;
    this.modes = options.modes;
    this.#queue = options.queue;
    this.#git = life.git(folder);
    this.#life = life;
    this.#folder = folder;
    this.#directory = directory;
    this.#scratch = scratch;
    this.#leftOut = new LeftOut(directory, mostNewFiles);
    this.#reader = reader;
    this.#upkeep = new Upkeep(directory, clock, upkeep, (work) =>
      life.run(() => this.#exclusively(() => this.#tidy(work))),
    );
    this.#clock = clock;
    this.#tracks = tracks;
    const repositoryFolder = () => life.run(async () => (await this.#open()).shadow.repository?.commonFolder);
    this.#watch = new FolderWatch({ folder, repositoryFolder, watcher, clock, log });
    this.#tracker = new Tracker(this.#watch, clock);
    this.answers = new RepositoryAnswers((freshness) => this.#tracker.repositoryVersion(freshness));
    this.indexAnswers = new RepositoryAnswers((freshness) => this.#tracker.indexVersion(freshness));
    this.#commits = new Commits(this.#git, folder, this.answers, this.indexAnswers);
    this.#tiers = new Tiers({ telemetry: options.telemetry, log });
    this.#keeping = new Keeping(reader, this.#tiers);
    this.#scan = new Scan({
      directory,
      open: () => this.#open(),
      reopen: () => this.#reopen(),
      empty: () => this.compose([]),
      tiers: this.#tiers,
    });
  }

  async describe({ baseBranch: wanted, freshness }: ReferenceOptions): Promise<WorkspaceInfo> {
    const { repository, problem: refusal } = (await this.#openFor(freshness)).shadow;
    const problem = refusal === undefined ? this.#leftOut.problem : describeRefusal(refusal);
    const baseBranch = repository && (await this.#commits.baseBranch(wanted, freshness));
    const branch = repository && (await this.#commits.branch(freshness));
    const uncommittedFiles = repository && (await this.#countUncommitted(repository));
    const keptBytes = await this.#upkeep.bytes();
    return {
      git: repository !== undefined,
      keptBytes,
      ...(baseBranch && { baseBranch }),
      ...(branch && { branch }),
      ...(uncommittedFiles !== undefined && { uncommittedFiles }),
      ...(problem !== undefined && { problem }),
    };
  }

  /** Undefined unless nothing was touched since the last checkpoint and nothing is converted: counting must not read the folder. */
  async #countUncommitted(repository: Repository): Promise<number | undefined> {
    const { objects } = await this.#atHand();
    const { state, touched } = this.#tracker.reported() ?? {};
    const tree = state && touched?.size === 0 ? await this.#commits.treeOf('HEAD', repository, 'watched') : undefined;
    if (!state || !tree || (await this.#commits.mayConvert(repository, 'watched'))) return undefined;
    const changes = await this.#tiers.only('count-uncommitted', {
      name: 'in-process',
      answer: () => objects.inProcess.compare(tree, state),
    });
    return isNotHere(changes) ? undefined : changes.length;
  }

  async checkpoint(options: CheckpointOptions): Promise<StateId> {
    const unchanged = options.freshness === 'watched' ? this.#tracker.unchanged() : undefined;
    if (unchanged === undefined) return this.#exclusively(() => this.#checkpoint(options), options.signal);
    this.#tracker.start(); // it is in use
    this.#tiers.answered('checkpoint', 'unchanged');
    return unchanged;
  }

  async #checkpoint({ freshness, onProgress, signal }: CheckpointOptions): Promise<StateId> {
    const opened = (await this.#openFor(freshness)).until(signal);
    const { shadow, objects } = opened;
    const known = await this.#tracker.known(freshness);
    if (known?.touched.size === 0) return this.#unchanged(known.state, freshness, opened);
    const touched = this.#tracker.everyChange();
    const begun = this.#tracker.begin();
    let isWatchable = true;
    const state = await this.#tiers
      .first<StateId>(
        'checkpoint',
        [{ name: 'reported-paths', answer: async () => readReported(opened, known) }],
        {
          name: 'scan',
          answer: async () => {
            const scanned = await this.#scanFolder({ onProgress, signal });
            isWatchable = await this.#reportsEveryChange(shadow);
            return scanned;
          },
        },
        signal,
      )
      .catch((error: unknown) => {
        if (signal?.aborted) begun.cancel();
        throw error;
      });
    this.modes.note(touched);
    await this.#followModes(freshness, opened, state);
    if (!this.#hasScanned) this.#upkeep.forgetMeasurement(); // the first checkpoint stores the whole folder
    this.#hasScanned = true;
    if (isWatchable) this.#tracker.start();
    else this.#tracker.stop();
    if (freshness === 'exact') objects.writer.flush(); // the caller may store the state's id
    begun.end(state);
    this.#upkeep.packIfMany(objects.writer.loose, objects.writer.packs);
    return state;
  }

  /** Nothing was reported since the last checkpoint, which may not have read permissions, or written the objects of its state. */
  async #unchanged(state: StateId, freshness: Freshness, opened: Opened): Promise<StateId> {
    this.#tracker.start();
    this.#tiers.answered('checkpoint', 'unchanged');
    if (freshness === 'exact') {
      await this.#followModes(freshness, opened, state);
      opened.objects.writer.flush();
    }
    return state;
  }

  quickCheckpoint({ freshness, onCaughtUp, signal }: QuickCheckpointOptions): Promise<StateId | undefined> {
    return this.#exclusively(async () => {
      const opened = (await this.#atHand()).until(signal);
      const known = await this.#tracker.known(freshness);
      if (known || (freshness === 'exact' && (await this.#tracker.caughtUp()))) onCaughtUp?.();
      if (!known) return undefined;
      const touched = this.#tracker.everyChange();
      const begun = this.#tracker.begin();
      const tier = { name: 'reported-paths', answer: async () => readReported(opened, known) };
      const state = await this.#tiers.only<StateId>('checkpoint', tier, signal);
      if (isNotHere(state)) return undefined;
      this.modes.note(touched);
      await this.#followModes(freshness, opened, state);
      begun.end(state);
      return state;
    }, signal);
  }

  /** A view does not wait for permissions: it shows none. Whoever lets files be changed asks for `exact`. */
  async #followModes(freshness: Freshness, opened: Opened, state: StateId): Promise<void> {
    const follow = () => this.modes.follow(() => pathsIn(opened, state));
    this.#clock.clearTimeout(this.#modesTimer);
    if (freshness === 'exact') return follow();
    const followLater = () => void this.#life.run(follow).catch(() => undefined); // the host is stopping
    this.#modesTimer = this.#clock.setTimeout(followLater, MODES_DELAY_MS);
  }

  async find(state: StateId, path: string): Promise<FileVersion | undefined> {
    const { trees, placeholders } = (await this.#atHand()).objects;
    const entry = await trees.find(state, pathBytes(path));
    if (!entry) return undefined;
    const notKept = placeholders.get(entry.id);
    return { path, contentId: entry.id, mode: entry.mode, ...(notKept && { size: notKept.size, notKept }) };
  }

  async add(content: Uint8Array): Promise<string> {
    return (await this.#atHand()).objects.writer.write('blob', Buffer.from(content));
  }

  /** Adds objects that another host had; they are on disk afterwards. */
  addObjects(added: readonly StateObject[]): Promise<void> {
    return this.#exclusively(async () => {
      const { writer, placeholders } = (await this.#open()).objects;
      for (const { type, content, notKept } of added) {
        const id = writer.write(type, Buffer.from(content));
        if (notKept) placeholders.note(id, notKept);
      }
      writer.flush();
    });
  }

  /** A repository that git has come to refuse since it was opened is left out. */
  async #scanFolder(options: Omit<CheckpointOptions, 'freshness'>): Promise<StateId> {
    try {
      return await this.#scan.run(options);
    } catch (error) {
      if (!(error instanceof GitRefusal)) throw error;
      this.#reopen();
      if ((await this.#open()).shadow.problem === undefined) throw error;
      return this.#scan.run(options);
    }
  }

  async reference(
    what: 'head' | 'mergeBase',
    { baseBranch, freshness }: ReferenceOptions,
  ): Promise<StateId | undefined> {
    const repository = await this.#repository(freshness);
    if (!repository) return undefined;
    const commit = await this.#commits.find(what, baseBranch, freshness);
    if (!commit) return undefined;
    const tree = await this.#commits.treeOf(commit, repository, freshness);
    return tree ?? this.compose([]);
  }

  async ofCommit(
    commit: string,
    { freshness }: PresentOptions,
  ): Promise<{ before: StateId; after: StateId } | undefined> {
    const repository = await this.#repository(freshness);
    if (!repository || !(await this.#commits.has(commit, freshness))) return undefined;
    const stateOf = async (name: string) =>
      (await this.#commits.treeOf(name, repository, freshness)) ?? this.compose([]);
    return { before: await stateOf(`${commit}^`), after: await stateOf(commit) };
  }

  async #repository(freshness: Freshness): Promise<Repository | undefined> {
    const atHand = await this.#openFor(freshness);
    const { shadow } = atHand.shadow.repository ? atHand : await this.#open(); // a new repository is not reported
    return shadow.repository;
  }

  async compareStored(from: StateId, to: StateId, options: CompareStoredOptions): Promise<FileChange[]> {
    const opened = (await this.#atHand()).until(options.signal);
    const { shadow, stored: form } = opened;
    if (!shadow.repository || !form) return this.compare(from, to, options);
    const settings = await this.#commits.conversionSettings(shadow.repository, options.freshness);
    const stored = await form.of(opened, to, settings);
    return withForms(await this.compare(from, stored.state, options), stored);
  }

  async compare(from: StateId, to: StateId, options?: CompareOptions): Promise<FileChange[]> {
    const opened = (await this.#atHand()).until(options?.signal);
    return compareStates({ opened, reader: this.#reader, tiers: this.#tiers }, from, to, options);
  }

  async compose(files: readonly FileVersion[], { signal }: Abortable = {}): Promise<StateId> {
    const { shadow, objects } = (await this.#open()).until(signal);
    if (files.length <= MAX_IN_PROCESS_DIFFERENCES)
      return objects.trees.build(
        new Map(files.map(({ path, mode, contentId: id }) => [pathBytes(path), { mode, id }])),
      );
    return this.#scratch.use(async (folder) => {
      const index = join(folder, 'index');
      const input = files.map(({ mode, contentId, path }) => `${mode} ${contentId}\t${path}\0`).join('');
      await shadow.run(['update-index', '-z', '--index-info'], { index, input });
      return (await shadow.run(['write-tree', '--missing-ok'], { index })).toString().trim();
    });
  }

  async keep(changes: readonly FileChange[], { signal }: Abortable = {}): Promise<void> {
    if (changes.length > 0) await this.#keeping.contents((await this.#open()).until(signal), changes);
  }

  async keepNames(state: StateId, { signal }: Abortable = {}): Promise<void> {
    const opened = (await this.#open()).until(signal);
    // In a folder without a repository all names are in the host's store already.
    if (opened.shadow.repository) await this.#keeping.names(opened, state);
  }

  retain(wanted: Retained, { signal }: Abortable = {}): Promise<void> {
    return this.#exclusively(async () => {
      // Everything in the index is retained, but checkpoints that read only a few files did not update it.
      await this.#scan.takeIntoIndex({ signal }).catch((error: unknown) => {
        if (!(error instanceof WorkspaceError)) throw error; // the folder may be gone; what is in the index stays
      });
      const { shadow } = (await this.#open()).until(signal);
      await retain(shadow, wanted);
      await forgetPlaceholders(shadow);
      this.#keeping.forget();
      this.#upkeep.forgetMeasurement();
      // Objects that only the last state has may have been removed, so the next checkpoint is a scan.
      this.#tracker.forget();
      this.#reopen();
    }, signal);
  }

  betweenCheckpoints<T>(work: () => Promise<T>): Promise<T> {
    return this.#exclusively(work);
  }

  /** Whether git may store files in another form than they have on disk, by settings or by attributes that it tracks. */
  async mayConvert(): Promise<boolean> {
    const { repository } = (await this.#openFor('exact')).shadow;
    return !repository || this.#commits.mayConvert(repository, 'exact');
  }

  /** The host itself wrote to these paths, so that a view of the folder need not wait for the watcher. */
  wrote(paths: readonly string[]): void {
    this.#tracker.touched(paths);
  }

  watch(listener: WorkspaceListener): () => void {
    return this.#watch.add(listener);
  }

  /** Writes pending objects to disk. */
  async flush(): Promise<void> {
    (await this.#opened)?.objects.writer.flush();
  }

  async close(): Promise<void> {
    this.#clock.clearTimeout(this.#idleTimer);
    this.#clock.clearTimeout(this.#modesTimer);
    this.#tracker.stop();
    await this.flush().catch(() => undefined); // there is nobody left to tell
  }

  async #tidy(work: (shadow: Shadow) => Promise<void>): Promise<void> {
    const { shadow, objects } = await this.#open();
    objects.writer.packed();
    await work(shadow);
  }

  /** Skips the check for a changed repository or settings, because this is called often. */
  #atHand(): Promise<Opened> {
    return this.#opened ?? this.#open();
  }

  #openFor(freshness: Freshness): Promise<Opened> {
    return freshness === 'watched' && this.#tracker.reported() ? this.#atHand() : this.#open();
  }

  async #open(): Promise<Opened> {
    this.#clock.clearTimeout(this.#idleTimer);
    this.#idleTimer = this.#clock.setTimeout(() => this.#reopen(), FOLDER_LINGER_MS);
    const known = this.#opened;
    if (known && this.#isOutOfDate((await known).shadow) && this.#opened === known) {
      this.#reopen();
      this.#watch.restart();
    }
    this.#opened ??= openShadow(this.#git, this.#folder, this.#directory, this.#leftOut)
      .then((shadow) => this.#withObjects(shadow))
      .catch((error: unknown) => {
        this.#opened = undefined; // the next call tries again: git may have been installed meanwhile
        throw error;
      });
    return this.#opened;
  }

  /** Agents often create the repository that they then work in, or replace it. */
  #isOutOfDate({ repository, settings }: Shadow): boolean {
    const isReplaced = repository ? !existsSync(repository.objects) : existsSync(join(this.#folder, '.git'));
    return isReplaced || settings.haveChanged();
  }

  /** Not with submodules: git records their commits in its `modules` folder, which is not watched. */
  async #reportsEveryChange({ repository }: Shadow): Promise<boolean> {
    if (!this.#tracks || !(await reportsEveryChange(this.#folder))) return false;
    return !repository || ![repository.commonFolder, dirname(repository.index)].some(hasModules);
  }

  /** Writes pending objects before each git command, so that git finds them. */
  #withObjects(shadow: Shadow): Opened {
    const objects = new Objects(shadow, this.#reader, this.#clock, this.#scratch);
    const { repository } = shadow;
    const stored = repository && new StoredForm(repository, this.#reader, this.#scratch);
    const openedWith = (its: Shadow): Opened => {
      const run: Shadow['run'] = async (...args) => {
        objects.writer.flush();
        return its.run(...args);
      };
      const opened: Opened = {
        shadow: { ...its, run },
        objects,
        ...(stored && { stored }),
        until: (signal) => (signal ? openedWith(its.until(signal)) : opened),
      };
      return opened;
    };
    return openedWith(shadow);
  }

  #reopen(): void {
    this.flush().catch(() => undefined); // the disk may be full; the next checkpoint stores the objects again
    this.#opened = undefined;
  }

  /** One piece of work on the folder's index and tracked state at a time. */
  #exclusively<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#queue.run(this.id, async () => {
      signal?.throwIfAborted();
      return work();
    });
  }
}

/** Reads the paths that the watcher has reported since the last state. */
function readReported({ shadow, objects }: Opened, known: Known | undefined): Promise<StateId | NotHere> | NotHere {
  return known ? readPaths(shadow, objects, known.state, known.touched) : notHere('not-tracked');
}

/** What users must know of a repository that cannot be used: that it is not, and why. */
function describeRefusal(refusal: string): string {
  return `Git cannot use the repository here, so changes are tracked without it: ${refusal.slice(0, MAX_REFUSAL_CHARS)}`;
}

/** Characters of git's own words: enough for what to do, which it says last. */
const MAX_REFUSAL_CHARS = 2_000;

/** Folders of a state that are read here: with more, a run of git costs less. */
const MAX_FOLDERS_IN_PROCESS = 50;

/** All files and folders of a state whose names are UTF-8. */
async function pathsIn({ shadow, objects }: Opened, state: StateId): Promise<readonly string[]> {
  const few = await ifAnswerable(objects.trees.paths(state, MAX_FOLDERS_IN_PROCESS));
  if (few) return few.map(pathText);
  const listed = await shadow.run(['ls-tree', '-r', '-t', '-z', '--name-only', state]);
  return listed.toString().split('\0').slice(0, -1);
}

function hasModules(gitFolder: string): boolean {
  return existsSync(join(gitFolder, 'modules'));
}
