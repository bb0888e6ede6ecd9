import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { FileChange, FileVersion, StateId, Workspace, WorkspaceListener } from '../../ports/workspace.js';
import { asOnDisk } from './as-on-disk.js';
import { RENAME_LIMIT } from './limits.js';
import { parseDiff } from './parse-diff.js';
import { findBaseBranch, headTree, mergeBase } from './repository.js';
import { openShadow, type Shadow } from './shadow.js';
import { stageAll } from './stage.js';
import { FolderWatch } from './watch.js';

/** The submodule entry of a tree: it names a commit of another repository, which is no content. */
const SUBMODULE_MODE = '160000';

/** A folder seen through the host's own bare repository. Looks at the work tree come one after the other. */
export class GitWorkspace implements Workspace {
  readonly id: string;
  readonly #folder: string;
  readonly #directory: string;
  readonly #watch: FolderWatch;
  #shadow: Promise<Shadow> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** The user's repository lacks contents of files that are not on disk, as a partial clone does. */
  #incomplete = false;

  constructor(id: string, folder: string, directory: string, clock: Clock, log: Log) {
    this.id = id;
    this.#folder = folder;
    this.#directory = directory;
    this.#watch = new FolderWatch(folder, clock, log);
  }

  async describe(): Promise<{ git: boolean; baseBranch?: string }> {
    const { repository } = await this.#open();
    const baseBranch = repository && (await findBaseBranch(this.#folder));
    return { git: repository !== undefined, ...(baseBranch && { baseBranch }) };
  }

  checkpoint(): Promise<StateId> {
    return this.#alone(async () => {
      const shadow = await this.#open();
      await stageAll(shadow);
      try {
        return await this.#writeTree(shadow);
      } catch {
        // Objects that only the user's repository had are gone with it: begin anew from what is on disk and there now.
        await rm(join(this.#directory, 'index'), { force: true });
        this.#shadow = undefined;
        const anew = await this.#open();
        await stageAll(anew);
        return await this.#writeTree(anew).catch(() => {
          this.#incomplete = true;
          return this.#writeTree(anew);
        });
      }
    });
  }

  async reference(what: 'head' | 'mergeBase'): Promise<StateId | undefined> {
    const shadow = await this.#open();
    const { repository } = shadow;
    if (!repository) return undefined;
    const branch = what === 'head' ? undefined : await findBaseBranch(this.#folder);
    const commit = what === 'head' ? 'HEAD' : branch && (await mergeBase(this.#folder, branch));
    if (!commit) return undefined;
    const tree = await headTree(this.#folder, repository, commit);
    return tree ? asOnDisk(shadow, tree, () => this.checkpoint()) : this.compose([]);
  }

  async compare(from: StateId, to: StateId): Promise<FileChange[]> {
    if (from === to) return [];
    const { run } = await this.#open();
    const args = [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--no-abbrev',
      '--numstat',
      '-M',
      `-l${RENAME_LIMIT}`,
      '--no-ext-diff',
      '--no-textconv',
      '--no-relative',
      '--ignore-submodules=none',
      from,
      to,
    ];
    return this.#withSizes(parseDiff(await run(args)));
  }

  async compose(files: readonly FileVersion[]): Promise<StateId> {
    const { run } = await this.#open();
    const index = join(this.#directory, `index-${randomUUID()}`);
    try {
      const input = files.map(({ mode, contentId, path }) => `${mode} ${contentId}\t${path}\0`).join('');
      await run(['update-index', '-z', '--index-info'], { index, input });
      return (await run(['write-tree', '--missing-ok'], { index })).toString().trim();
    } finally {
      await rm(index, { force: true });
    }
  }

  async keep(changes: readonly FileChange[]): Promise<void> {
    const ids = contentsOf(changes);
    if (ids.length === 0) return;
    const { run, directory } = await this.#open();
    await run(['pack-objects', '--quiet', join(directory, 'objects', 'pack', 'pack')], {
      input: `${ids.join('\n')}\n`,
    });
  }

  watch(listener: WorkspaceListener): () => void {
    return this.#watch.add(listener);
  }

  async #withSizes(changes: FileChange[]): Promise<FileChange[]> {
    const ids = contentsOf(changes);
    if (ids.length === 0) return changes;
    const { run } = await this.#open();
    const lines = (
      await run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input: `${ids.join('\n')}\n` })
    ).toString();
    const sizes = new Map(lines.split('\n').map((line) => line.split(' ') as [string, string]));
    const sized = (version: FileVersion | undefined) => {
      const size = Number(version && sizes.get(version.contentId));
      return version && (Number.isFinite(size) ? { ...version, size } : version);
    };
    return changes.map((change) => {
      const [before, after] = [sized(change.before), sized(change.after)];
      return { ...change, ...(before && { before }), ...(after && { after }) };
    });
  }

  async #writeTree({ run, repository }: Shadow): Promise<StateId> {
    const prefix = repository?.prefix ? [`--prefix=${repository.prefix}/`] : [];
    try {
      return (await run(['write-tree', ...(this.#incomplete ? ['--missing-ok'] : []), ...prefix])).toString().trim();
    } catch (error) {
      if (/prefix .* not found/s.test(String(error))) return this.compose([]); // no file in that part of the repository
      throw error;
    }
  }

  async #open(): Promise<Shadow> {
    const known = this.#shadow;
    const repository = known && (await known).repository;
    // An agent often makes the repository that it then works in, or makes it anew.
    const late = known && (repository ? !existsSync(repository.objects) : existsSync(join(this.#folder, '.git')));
    if (late && this.#shadow === known) this.#shadow = undefined;
    this.#shadow ??= openShadow(this.#folder, this.#directory).catch((error: unknown) => {
      this.#shadow = undefined; // the next one tries again: git may have been installed meanwhile
      throw error;
    });
    return this.#shadow;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function contentsOf(changes: readonly FileChange[]): string[] {
  const versions = changes.flatMap(({ before, after }) => [before, after]);
  return [
    ...new Set(versions.flatMap((version) => (version && version.mode !== SUBMODULE_MODE ? [version.contentId] : []))),
  ];
}
