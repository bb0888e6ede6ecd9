import { statSync } from 'node:fs';
import type { StateId } from '../../../ports/workspace.js';
import { joinRecords, splitRecords } from '../../shared/git/records.js';
import type { Shadow } from '../repository/shadow.js';
import { ifAnswerable } from '../tiers.js';
import type { Trees } from './trees.js';

/**
 * Git keeps looking at a file that is in its index, ignored or not. So a file that became ignored must leave the host's
 * index, and an ignored file that the user has committed must be in it. Asking git about that takes two runs, so what
 * it said is reused while no file with ignore rules has changed.
 */
export class IgnoredInIndex {
  readonly #trees: Trees;
  /** Everything that decides about it, as it was when neither index had an ignored file. */
  #seen: string | undefined;
  #folders: { readonly state: StateId; readonly paths: readonly string[] | undefined } | undefined;

  constructor(trees: Trees) {
    this.#trees = trees;
  }

  /** `inIndex` is the state in the host's index, if that is known. Resolves to whether the index changed. */
  async settle(shadow: Shadow, inIndex: StateId | undefined): Promise<boolean> {
    const rules = inIndex === undefined ? undefined : await this.#rulesIn(shadow, inIndex);
    if (rules !== undefined && rules === this.#seen) return false;
    this.#seen = undefined;
    const { repository, git, run } = shadow;
    const list = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--full-name'];
    const [hosts, users] = await Promise.all([
      run(list).then(splitRecords),
      repository
        ? git.run([...list, '--', `:(literal)${repository.prefix}`], { cwd: repository.top }).then(splitRecords)
        : [],
    ]);
    const [gone, added] = [without(hosts, users), without(users, hosts)];
    await update(run, '--force-remove', gone);
    await update(run, '--add', added);
    if (hosts.length + users.length === 0) this.#seen = rules;
    return gone.length + added.length > 0;
  }

  /** Undefined when a change could stay unnoticed. Rules outside of the folder are in `Shadow.settings`. */
  async #rulesIn({ folder, repository }: Shadow, state: StateId): Promise<string | undefined> {
    const folders = await this.#foldersIn(state);
    const files = folders?.map((path) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1'), NAME]));
    const seen = files && fingerprintOf([...files, ...(repository ? [repository.index, repository.exclude] : [])]);
    // Git refuses the repository of another user; if it comes to that, git must be asked, so that it can say so.
    const owners = repository && [repository.top, repository.commonFolder].map((path) => statOf(path)?.uid);
    return seen === undefined ? undefined : `${seen} ${owners?.join()}`;
  }

  async #foldersIn(state: StateId): Promise<readonly string[] | undefined> {
    if (this.#folders?.state === state) return this.#folders.paths;
    const paths = await ifAnswerable(this.#trees.folders(state, MAX_RULE_FOLDERS));
    this.#folders = { state, paths };
    return paths;
  }
}

const NAME = Buffer.from('.gitignore');

/** Folders that may have a .gitignore, some 20 ms of work; with more, git is asked each time. */
const MAX_RULE_FOLDERS = 5_000;

/** A file that was written so recently may change again without another time. Some disks keep whole seconds only. */
const RECENT_MS = 50;
const RECENT_IN_SECONDS_MS = 2_000;

function fingerprintOf(files: readonly (string | Buffer)[]): string | undefined {
  const now = Date.now();
  const found: string[] = [];
  for (const [at, file] of files.entries()) {
    const stats = statOf(file);
    if (!stats) continue;
    const { mtimeMs, ctimeMs } = stats;
    const recent = now - (mtimeMs % 1_000 === 0 ? RECENT_IN_SECONDS_MS : RECENT_MS);
    if (mtimeMs > recent || ctimeMs > recent) return undefined;
    found.push(`${at} ${stats.ino} ${stats.size} ${mtimeMs} ${ctimeMs}`);
  }
  return found.join();
}

function statOf(file: string | Buffer) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // the folder is a file now, or may not be entered, and git reads no rules there either
  }
}

async function update(run: Shadow['run'], how: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // --remove: a committed file that is missing on disk is not an error
  await run(['update-index', how, '--remove', '-z', '--stdin'], { input: joinRecords(paths), accept: [128] });
}

function without(paths: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others);
  return paths.filter((path) => !excluded.has(path));
}
