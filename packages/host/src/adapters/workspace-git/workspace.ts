import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { FileChange, FileVersion, StateId, Workspace, WorkspaceListener } from '../../ports/workspace.js';
import { settleIgnored } from './ignored.js';
import { RENAME_LIMIT } from './limits.js';
import { parseDiff } from './parse-diff.js';
import { findBaseBranch, headTree, mergeBase } from './repository.js';
import { openShadow, type Shadow } from './shadow.js';
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
      const { run, directory, repository, refresh } = shadow;
      await refresh();
      // Nobody else writes here: a lock is what a killed process left, and would keep this from ever seeing a change.
      await rm(join(directory, 'index.lock'), { force: true });
      await settleIgnored(shadow);
      const prefix = repository?.prefix ?? '';
      // A file that cannot be read is left as it was; it must not keep the others from being seen.
      await run(['add', '--all', '--sparse', '--ignore-errors', '--', `:(literal)${prefix}`], { accept: [1] });
      const tree = await run(['write-tree', ...(prefix === '' ? [] : ['--missing-ok', `--prefix=${prefix}/`])]).catch(
        (error: unknown) => {
          if (String(error).includes('not found')) return undefined; // no file in that part of the repository
          throw error;
        },
      );
      return tree ? tree.toString().trim() : this.compose([]);
    });
  }

  async reference(what: 'head' | 'mergeBase'): Promise<StateId | undefined> {
    const { repository } = await this.#open();
    if (!repository) return undefined;
    if (what === 'head') return (await headTree(this.#folder, repository)) ?? this.compose([]);
    const branch = await findBaseBranch(this.#folder);
    const commit = branch && (await mergeBase(this.#folder, branch));
    return commit ? ((await headTree(this.#folder, repository, commit)) ?? this.compose([])) : undefined;
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

  async #open(): Promise<Shadow> {
    const shadow = await this.#shadow;
    // An agent often makes the repository that it then works in.
    if (shadow && !shadow.repository && existsSync(join(this.#folder, '.git'))) this.#shadow = undefined;
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
