import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDamagedStore, openSqliteStore, type Recovery, recoverStore } from '@moorage/host';
import { turn } from './actions.js';
import { TestHost } from './test-host.js';

/** What a store says of every channel, to compare it with another. */
export type Content = ReadonlyMap<string, string>;

export interface SampleStore {
  /** The files of a store with sessions, each with a conversation: as a host that stopped left them. */
  readonly file: string;
  readonly sessions: readonly string[];
  readonly content: Content;
  readonly seqCeiling: number;
  remove(): void;
}

/** Makes a store by talking to a real host; `crashed` leaves it as `kill -9` would, with its log not yet written back. */
export async function sampleStore({ sessions = 8, crashed = false, chars = 0 } = {}): Promise<SampleStore> {
  const host = await TestHost.start();
  const client = await host.client();
  const uris: string[] = [];
  for (let count = 0; count < sessions; count++) {
    const { session, chat } = await host.session(client);
    uris.push(session);
    await turn(client, chat, `/say ${'Lorem ipsum dolor sit amet. '.repeat(40 * (count % 4))}\n/stream 30`);
    await turn(client, chat, `/say second answer of ${count}${'x'.repeat(chars)}`);
  }
  await client.sync();
  const folder = temporary();
  const file = join(folder, 'store.sqlite');
  if (!crashed) await host.stop();
  for (const end of ['', '-wal']) {
    const from = join(host.folder, `store.sqlite${end}`);
    if (existsSync(from)) copyFileSync(from, file + end);
  }
  if (!crashed) await host.start();
  await host.dispose();
  const copy = copyOf(file);
  const { content, seqCeiling } = readContent(copy.file);
  copy.remove();
  return { file, sessions: uris, content, seqCeiling, remove: () => rmSync(folder, { recursive: true }) };
}

/** A copy that a test may damage. */
export function copyOf(file: string): { readonly folder: string; readonly file: string; remove(): void } {
  const folder = temporary();
  const copy = join(folder, 'store.sqlite');
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  return { folder, file: copy, remove: () => rmSync(folder, { recursive: true }) };
}

/** Every session, chat and list of comments, by its URI, as the host would load it. */
export function readContent(file: string): { content: Content; seqCeiling: number } {
  const store = openSqliteStore({ file });
  store.close();
  const damaged = openDamagedStore(file);
  const target = copyless();
  const recovery = recoverStore(damaged, target.store, 0);
  if (recovery.losses.length > 0) throw new Error(`not whole: ${recovery.losses.join('; ')}`);
  const content = new Map<string, string>();
  for (const { uri } of damaged.channels) content.set(uri, target.store.channels.read(uri)?.snapshot.json ?? '');
  const { seqCeiling } = damaged;
  damaged.close();
  target.remove();
  return { content, seqCeiling };
}

/** Recovers into a new store; gives what it saved and what it says of it. */
export function recovered(file: string): { recovery: Recovery; read(uri: string): string | undefined; remove(): void } {
  const damaged = openDamagedStore(file);
  const target = copyless();
  const recovery = recoverStore(damaged, target.store, 0);
  damaged.close();
  return { recovery, read: (uri) => target.store.channels.read(uri)?.snapshot.json, remove: target.remove };
}

function copyless() {
  const folder = temporary();
  const store = openSqliteStore({ file: join(folder, 'new.sqlite') });
  return {
    store,
    remove: () => {
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

/** Runs `moorage` to its end. */
export function runMoorage(...args: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', timeout: 60_000 });
  return { code: status, stdout, stderr };
}

function temporary(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'moorage-damage-')));
}
