import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../packages/host/src/adapters/shared/sqlite.js';
import type { Recorded, RecordedSession } from './record.mjs';

const FIXTURE = fileURLToPath(new URL('../../fixtures/store-0.4/', import.meta.url));

/** The data folder of a host of before 1.0 with its project, in a temporary folder, and what that host showed of it. */
export interface OldFolder {
  readonly data: string;
  readonly project: string;
  readonly store: string;
  /** What `moorage serve` needs to find everything. */
  readonly args: readonly string[];
  readonly expected: Recorded;
  remove(): void;
}

interface About extends Omit<Recorded, 'sessions'> {
  readonly place: string;
  readonly hashed: readonly { readonly id: string; readonly parts: readonly string[] }[];
}

export function unpackOldFolder(): OldFolder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-old-store-')));
  execFileSync('tar', ['--extract', '--gzip', '--file', join(FIXTURE, 'folder.tar.gz'), '--directory', folder]);
  const [data, project] = [join(folder, 'data'), join(folder, 'project')];
  const lines = readFileSync(join(FIXTURE, 'expected.jsonl'), 'utf8').trimEnd().split('\n');
  const about = JSON.parse(lines[0] ?? '') as About;
  const moves = movesOf(about, folder, readdirSync(join(data, 'worktrees')));
  const moved = (text: string) => moves.reduce((moving, [from, to]) => moving.replaceAll(from, to), text);
  moveStore(join(data, 'store.sqlite'), moves);
  for (const name of readdirSync(join(data, 'workspaces'))) {
    renameSync(join(data, 'workspaces', name), join(data, 'workspaces', moved(name)));
  }
  const gitLinks = readdirSync(join(data, 'worktrees')).flatMap((name) => [
    join(data, 'worktrees', name, '.git'),
    join(project, '.git', 'worktrees', name, 'gitdir'),
  ]);
  for (const file of [join(folder, 'config.jsonc'), ...gitLinks])
    writeFileSync(file, moved(readFileSync(file, 'utf8')));
  const sessions = lines.slice(1).map((line) => JSON.parse(moved(line)) as RecordedSession);
  const { listed, removed, settings } = JSON.parse(moved(lines[0] ?? '')) as About;
  const uriOf = ({ session }: RecordedSession) => (session.summary as { resource: string }).resource;
  return {
    data,
    project,
    store: join(data, 'store.sqlite'),
    args: ['--data-dir', data, '--root', project, '--config', join(folder, 'config.jsonc'), '--no-web'],
    expected: { listed, removed, settings, sessions: Object.fromEntries(sessions.map((one) => [uriOf(one), one])) },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Move = readonly [from: string, to: string];

/** The folder itself, and what is named by a hash of a path in it: customizations, and where contents of files are kept. */
function movesOf({ place, hashed }: About, folder: string, worktrees: readonly string[]): Move[] {
  const moves: Move[] = [[place, folder]];
  const moved = (text: string) => moves.reduce((moving, [from, to]) => moving.replaceAll(from, to), text);
  for (const { id, parts } of hashed) moves.push([id, customizationId(parts.map(moved))]);
  const folders = ['project', ...worktrees.map((name) => join('data', 'worktrees', name))];
  for (const path of folders) moves.push([workspaceId(join(place, path)), workspaceId(join(folder, path))]);
  return moves;
}

function customizationId(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

function workspaceId(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 24);
}

function moveStore(file: string, moves: readonly Move[]): void {
  const database = openDatabase(file);
  for (const [table, column] of TEXTS) {
    const replace = database.prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`);
    for (const [from, to] of moves) replace.run(from, to);
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

const TEXTS = [
  ['sessions', 'summary'],
  ['snapshots', 'json'],
  ['log', 'envelopes'],
  ['documents', 'json'],
] as const;
