import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { run as runProgram } from '../../../../tests/support/run-from-small-process.js';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import type { UpkeepLimits } from '../../src/adapters/workspace-git/keeping/upkeep.js';
import { gitWorkspaces } from '../../src/compose/git-workspaces.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';
import type { Telemetry } from '../../src/ports/telemetry.js';
import type { Watcher } from '../../src/ports/watcher.js';
import type { FileChange, Workspace, Workspaces } from '../../src/ports/workspace.js';
import { Truth } from './truth.js';

/** A folder that a test fills and changes, looked at by the adapter. */
export class Bench {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
  /** The top of the repository, if there is one. */
  readonly top = join(this.root, 'repo');
  /** The folder that is looked at. */
  folder = this.top;
  readonly #opened: Workspaces[] = [];
  /** What the adapter logged as errors, such as a tier that threw. */
  readonly #errors: string[] = [];

  constructor() {
    mkdirSync(this.top);
  }

  open({ directory = 'remembered', ...options }: OpenOptions = {}): Workspaces {
    const opened = gitWorkspaces({
      directory: join(this.root, directory),
      clock: nodeClock,
      log: {
        write: (level, event, message, fields) => {
          if (level === 'error') this.#errors.push(`${event}: ${message} ${JSON.stringify(fields)}`);
        },
      },
      ...options,
    });
    this.#opened.push(opened);
    return opened;
  }

  git(...args: string[]): string {
    return run(this.folder, args);
  }

  /** A repository with these files committed. */
  commit(files: Readonly<Record<string, string | Buffer>> = {}): void {
    if (!this.has('.git')) this.git('init', '-q', '-b', 'main');
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git('add', '--all');
    this.git('commit', '-q', '--allow-empty', '-m', 'commit');
  }

  /** A repository with a submodule in `sub`. Gives how that moves to another commit. */
  commitSubmodule(): () => void {
    const library = join(this.root, 'library');
    run(this.root, ['init', '-q', library]);
    run(library, ['commit', '-q', '--allow-empty', '-m', 'one']);
    this.commit({ a: 'x\n' });
    this.git('submodule', '--quiet', 'add', library, 'sub');
    this.commit();
    return () => void run(join(this.top, 'sub'), ['commit', '-q', '--allow-empty', '-m', 'two']);
  }

  write(path: string, content: string | Buffer, mode?: number): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
    if (mode !== undefined) chmodSync(join(this.folder, path), mode);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  has(path: string): boolean {
    return lstatSync(join(this.folder, path), { throwIfNoEntry: false }) !== undefined;
  }

  async dispose(): Promise<void> {
    for (const workspaces of this.#opened) await workspaces.close();
    rmSync(this.root, { recursive: true, force: true });
    expect(this.#errors, 'the adapter logged errors').toEqual([]);
  }
}

interface OpenOptions {
  readonly mostNewFiles?: number;
  /** Where it remembers, in the folder of the test. */
  readonly directory?: string;
  readonly tracks?: boolean;
  readonly telemetry?: Telemetry;
  readonly watcher?: Watcher;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly upkeep?: UpkeepLimits;
}

export interface CheckOptions {
  /** Paths in the folder that the adapter must not see. */
  readonly hidden?: readonly string[];
}

/**
 * Looks at the folder before and after a change. What the adapter says must be what git says of two copies of the folder,
 * the user's repository must stay as it is, and all contents must outlive it. Gives back the changes, one line each.
 */
export async function check(bench: Bench, change: () => void, { hidden = [] }: CheckOptions = {}): Promise<string[]> {
  const truth = new Truth(join(bench.root, 'truth'));
  const workspaces = bench.open();
  const workspace = workspaces.open(bench.folder);
  const [before, truthBefore] = await look(bench, workspace, truth, hidden);
  change();
  const [after, truthAfter] = await look(bench, workspace, truth, hidden);
  const changes = await workspace.compare(before, after);
  expect(changes.map(describeChange)).toEqual(truth.compare(truthBefore, truthAfter));
  await workspace.keep(changes);
  await expectContents(workspaces, workspace.id, changes, truth);
  for (const path of readdirSync(bench.top)) if (path === '.git') rmSync(join(bench.top, path), { recursive: true });
  await expectContents(bench.open(), workspace.id, changes, truth);
  return changes.map(({ before: old, after: now, added = '-', removed = '-' }) =>
    [old?.path ?? '', now?.path ?? '', added, removed].join(' '),
  );
}

async function look(bench: Bench, workspace: Workspace, truth: Truth, hidden: readonly string[]) {
  const fingerprint = fingerprintOf(join(bench.top, '.git'));
  const state = await workspace.checkpoint({ freshness: 'exact' });
  expect(fingerprintOf(join(bench.top, '.git'))).toEqual(fingerprint);
  expect(await workspace.checkpoint({ freshness: 'exact' }), 'nothing changed').toBe(state);
  return [state, truth.remember(bench.folder, hidden)] as const;
}

async function expectContents(from: Workspaces, id: string, changes: readonly FileChange[], truth: Truth) {
  for (const version of changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())) {
    const content = contentOf(await from.read(id, version.contentId));
    expect(content.equals(truth.content(version.contentId)), `content of ${version.path}`).toBe(true);
    expect(version.size).toBe(content.length);
  }
}

/** The bytes that were read, or a word that no test writes. */
export function contentOf(read: Awaited<ReturnType<Workspaces['read']>>): Buffer {
  return read instanceof Uint8Array ? Buffer.from(read) : Buffer.from('nothing');
}

export function describeChange({ before, after, added, removed }: FileChange): string {
  const side = (version: FileChange['before']) => version && [version.path, version.mode, version.contentId];
  return JSON.stringify([side(before) ?? null, side(after) ?? null, added ?? null, removed ?? null]);
}

/** Everything in a folder: names, kinds and bytes. */
function fingerprintOf(folder: string): Record<string, string> {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return {};
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    found[path] = entry.isFile() ? createHash('sha1').update(readFileSync(path)).digest('hex') : 'folder';
  }
  return found;
}

/** Git as the user runs it, whatever this machine's settings are. */
export function run(cwd: string, args: readonly string[]): string {
  const settings = ['user.name=t', 'user.email=t@t', 'protocol.file.allow=always', 'maintenance.auto=false'];
  const given = settings.flatMap((setting) => ['-c', setting]);
  return runProgram('git', [...given, ...args], { cwd }).toString('latin1');
}
