import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChangesetState, changesetUri, primaryDirectory, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyEntry } from '../../packages/cli/dist/backup/copy-entry.js';
import {
  accepted,
  approval,
  callsOf,
  chatState,
  PATIENT,
  shownIn,
  startTurn,
  turn,
  turnEnd,
} from '../support/actions.js';
import { FaultBench } from '../support/fault-host.js';
import { Pty } from '../support/pty.js';
import { runMoorage } from '../support/store-damage.js';
import { WireClient } from '../support/wire-client.js';

const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

let bench: FaultBench;
let target: string;
beforeEach(() => {
  bench = new FaultBench();
  target = join(bench.folder, 'backup');
});
afterEach(() => bench.dispose());

const backUp = (...args: string[]) => runMoorage('backup', target, '--data-dir', bench.data, ...args);

/** Ends a host as a power cut would. */
async function kill(): Promise<void> {
  await bench.host?.kill();
  bench.host = undefined;
}

/** Puts a backup into the place of the data folder, as the summary says. */
function restore(): void {
  rmSync(bench.data, { recursive: true });
  cpSync(target, bench.data, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** Everything that can be told of a folder's files from outside, besides SQLite's index of its log, which readers use. */
function looksOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('-shm'));
  return names.sort().map((name) => {
    const { mode, size, mtimeMs } = lstatSync(join(folder, name));
    return `${name} ${mode.toString(8)} ${size} ${mtimeMs}`;
  });
}

/** The text of the only file of a changeset after the change. */
async function contentAfter(client: WireClient, uri: string): Promise<string> {
  await expect.poll(async () => (await client.subscribe<ChangesetState>(uri)).status, PATIENT).toBe('ready');
  const { files } = await client.subscribe<ChangesetState>(uri);
  const after = files[0]?.edit.after?.content.uri ?? '';
  return (await client.request('resourceRead', { channel: ROOT_URI, uri: after })).data;
}

/** The call of a chat that waits for an answer. */
function pendingCall(client: WireClient, chat: string) {
  return shownIn(client, chat, ({ activeTurn }) =>
    callsOf(activeTurn?.responseParts).find(({ status }) => status === 'pending-confirmation'),
  );
}

describe('moorage backup of a running host', () => {
  it('in the middle of turns can be restored with everything, and disturbs nobody', async () => {
    const client = await bench.start();
    const { token } = bench.host ?? {};
    const one = await bench.session(client, { config: { isolation: 'worktree' } });
    const written = await turn(client, one.chat, '/auto on\n/write made.txt kept\\n');
    const changes = changesetUri(one.session, { kind: 'turn', turnId: written });
    expect(await contentAfter(client, changes)).toBe('kept\n');
    const asked = startTurn(client, one.chat, '/auto off\n/write later.txt unanswered');
    const { toolCallId } = await pendingCall(client, one.chat);
    const two = await bench.session(client);
    const streamed = startTurn(client, two.chat, '/stream 2000');
    await client.action(two.chat, 'chat/responsePart');

    await client.request('moorage/getPushKey', { channel: 'ahp-root://' }); // the key is part of a backup
    const { code, stdout, stderr } = backUp();
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Backed up 2 sessions with 2 chats, \d+ files, [\d.]+ MB to .*is whole\. To restore .*\n$/);

    await accepted(client, one.chat, approval(asked, toolCallId));
    expect(await turnEnd(client, one.chat, asked)).toMatchObject({ type: 'chat/turnComplete' });
    expect(await turnEnd(client, two.chat, streamed)).toMatchObject({ type: 'chat/turnComplete' });
    await client.close();
    await kill();
    const entries = readdirSync(target).sort();
    expect(entries).toEqual(['audit.jsonl', 'push-keys.json', 'store.sqlite', 'token', 'workspaces', 'worktrees']);
    expect(readdirSync(join(target, 'workspaces'))).not.toContain('scratch');
    for (const name of entries)
      expect([name, statSync(join(target, name)).mode]).toEqual([name, statSync(join(bench.data, name)).mode]);
    restore();

    const later = await bench.start();
    expect(bench.host?.token).toBe(token);
    const { items } = await later.request('listSessions', { channel: ROOT_URI });
    expect(items.map(({ resource }) => resource).sort()).toEqual([one.session, two.session].sort());
    expect((await chatState(later, two.chat)).turns.map(({ id }) => id)).toEqual([streamed]);
    expect(await contentAfter(later, changes)).toBe('kept\n');
    const workingDirectory = primaryDirectory(await later.subscribe<SessionState>(one.session)) ?? '';
    const worktree = fileURLToPath(workingDirectory);
    expect(worktree.startsWith(join(bench.data, 'worktrees'))).toBe(true);
    expect(readFileSync(join(worktree, 'made.txt'), 'utf8')).toBe('kept\n');
    expect(existsSync(join(worktree, 'later.txt'))).toBe(false);
    // The question is open again, and what was done about it after the backup is not.
    const again = await pendingCall(later, one.chat);
    await accepted(later, one.chat, approval(asked, again.toolCallId));
    expect(await turnEnd(later, one.chat, asked)).toMatchObject({ type: 'chat/turnComplete' });
    const { turns } = await chatState(later, one.chat);
    expect(turns.map(({ id, state }) => [id, state])).toEqual([
      [written, 'complete'],
      [asked, 'complete'],
    ]);
    await later.close();
  });

  it('gives snapshots to clients that saw more than is in the backup', async () => {
    const client = await bench.start();
    const { session, chat } = await bench.session(client);
    expect(backUp().code).toBe(0);
    await accepted(client, session, { type: 'session/titleChanged', title: 'After the backup' });
    await client.close();
    await kill();
    restore();
    await (await bench.start()).close();
    const { url = '', token = '' } = bench.host ?? {};
    const back = await WireClient.open({ url, token, clientId: client.clientId });
    const { clientId, lastSeen: lastSeenServerSeq } = client;
    const subscriptions = [session, chat];
    const result = await back.request('reconnect', { channel: ROOT_URI, clientId, lastSeenServerSeq, subscriptions });
    expect(result.type).toBe('snapshot');
    expect(JSON.stringify(result)).not.toContain('After the backup');
    await back.close();
  });
});

describe('moorage backup without a host', () => {
  it.each([
    ['that was stopped', () => bench.host?.stop()],
    ['that was killed', () => bench.host?.kill()],
  ])('%s copies all there is and leaves the data folder as it was', async (_how, end) => {
    const client = await bench.start();
    const { session, chat } = await bench.session(client);
    const id = await turn(client, chat, '/auto on\n/write made.txt kept\\n');
    const changes = changesetUri(session, { kind: 'turn', turnId: id });
    await contentAfter(client, changes);
    await client.close();
    await end();
    bench.host = undefined;
    writeFileSync(join(bench.data, 'always-allowed-coder.json'), '{}', { mode: 0o600 });
    const before = looksOf(bench.data);
    mkdirSync(target); // an empty folder will do
    const { code, stdout } = backUp('--json');
    expect(code).toBe(0);
    const { files, bytes, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ folder: target, dataDir: bench.data, sessions: 1, chats: 1, unreadable: [] });
    const copies = readdirSync(target, { recursive: true, encoding: 'utf8' }).map((name) =>
      lstatSync(join(target, name)),
    );
    const copied = copies.filter((found) => found.isFile());
    expect(files).toBe(copied.length);
    expect(bytes).toBe(copied.reduce((sum, { size }) => sum + size, 0));
    expect(looksOf(bench.data)).toEqual(before);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(existsSync(join(target, 'always-allowed-coder.json'))).toBe(true);

    restore();
    expect(runMoorage('recover', '--check', '--data-dir', bench.data).code).toBe(0);
    const later = await bench.start();
    expect((await chatState(later, chat)).turns).toHaveLength(1);
    expect(await contentAfter(later, changes)).toBe('kept\n');
    await later.close();
  });

  it('says on a terminal what it is doing', async () => {
    await stoppedHost();
    const pty = new Pty(process.execPath, [BIN, 'backup', target, '--data-dir', bench.data], {
      cwd: bench.folder,
      env: process.env,
    });
    await pty.sees('copying the store');
    await pty.sees('checking the copy');
    await pty.sees('Backed up 0 sessions');
    pty.kill();
  });

  it('fails when the store is damaged, says what to do, and keeps nothing', async () => {
    await stoppedHost();
    const handle = openSync(join(bench.data, 'store.sqlite'), 'r+');
    writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, 4096);
    closeSync(handle);
    const { code, stderr } = backUp();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^moorage: no backup was made.*damaged.*moorage recover/s),
    ]);
    expect(stderr).toContain(join(bench.data, 'store.sqlite'));
    expect(stderr).not.toContain('incomplete');
    expect(leftovers()).toEqual([]);
  });

  it('removes what it has written when it is interrupted', async () => {
    await stoppedHost();
    const many = join(bench.data, 'worktrees', 'many');
    mkdirSync(many);
    for (let count = 0; count < 5_000; count++) writeFileSync(join(many, `file-${count}`), 'x');
    const child = spawn(process.execPath, [BIN, 'backup', target, '--data-dir', bench.data]);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const hasBegun = () => leftovers().some((name) => existsSync(join(bench.folder, name, 'worktrees', 'many')));
    await expect.poll(hasBegun, PATIENT).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    expect(said).toContain('no backup was made, and nothing of it was kept: it was interrupted');
    expect(leftovers()).toEqual([]);
  });
});

/** A data folder as a host leaves it that did nothing. */
async function stoppedHost(): Promise<void> {
  await (await bench.start()).close();
  await bench.host?.stop();
  bench.host = undefined;
}

/** What of a backup lies beside the data folder. */
function leftovers(): string[] {
  return readdirSync(bench.folder).filter((name) => name.includes('backup'));
}

describe('moorage backup refuses', () => {
  const refusals: [string, () => string, RegExp][] = [
    [
      'a folder with something in it',
      () => made('full', (path) => mkdirSync(join(path, 'x'), { recursive: true })),
      /not empty/,
    ],
    ['a file', () => made('file', (path) => writeFileSync(path, '')), /is a file/],
    ['the data folder', () => bench.data, /in the data folder/],
    ['a folder in the data folder', () => join(bench.data, '..backup'), /in the data folder/],
    [
      'a way around into it',
      () =>
        join(
          made('link', (path) => symlinkSync(bench.data, path)),
          'x',
        ),
      /in the data folder/,
    ],
    ['a folder in none', () => join(bench.folder, 'no', 'where'), /there is no folder .*no: make it first/],
    ['no name', () => '', /expected a path/],
  ];
  const made = (name: string, make: (path: string) => void) => {
    const path = join(bench.folder, name);
    make(path);
    return path;
  };

  it.each(refusals)('%s as its target', (_name, folder, says) => {
    writeFileSync(join(bench.data, 'store.sqlite'), '');
    const path = folder();
    const before = looksOf(bench.folder);
    const { code, stderr } = runMoorage('backup', path, '--data-dir', bench.data);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(looksOf(bench.folder)).toEqual(before);
  });

  it('a data folder that does not exist, or is none', () => {
    for (const folder of [join(bench.folder, 'none'), bench.data]) {
      const { code, stderr } = runMoorage('backup', target, '--data-dir', folder);
      expect([code, stderr]).toEqual([
        2,
        `moorage: there is no store in ${folder}: name the host's folder with --data-dir\n`,
      ]);
    }
    expect(leftovers()).toEqual([]);
  });
});

describe('a copy of a folder in which others work', () => {
  const folders = new Map<string, number>();
  const copy = (onFile: (bytes: number) => void = () => {}, leaveOut?: RegExp) =>
    copyEntry(bench.workspace, target, {
      signal: new AbortController().signal,
      leaveOut,
      onFile,
      onFolder: (path, { mode }) => folders.set(path, mode & 0o777),
    });

  it('has what was moved meanwhile to a name that had been passed', async () => {
    for (const name of ['m', 'z']) writeFileSync(join(bench.workspace, name), name);
    let isFirst = true;
    await copy((size) => {
      if (size !== 1 || !isFirst) return;
      isFirst = false; // `m` is copied, `z` is next
      renameSync(join(bench.workspace, 'z'), join(bench.workspace, 'a'));
    });
    expect(isFirst).toBe(false);
    expect(readdirSync(target).sort()).toEqual(['.git', 'README.md', 'a', 'm']);
  });

  it('goes on when a file or a whole folder goes away', async () => {
    mkdirSync(join(bench.workspace, 'x', 'y'), { recursive: true });
    for (const name of ['m', 'n', 'x/y/one']) writeFileSync(join(bench.workspace, name), 'n');
    await copy((size) => {
      if (size === 1)
        for (const name of ['n', 'x']) rmSync(join(bench.workspace, name), { recursive: true, force: true });
    });
    expect(readdirSync(target).sort()).toEqual(['.git', 'README.md', 'm']);
  });

  it('keeps modes, times and links, and has no sockets and nothing that is to be left out', async () => {
    const at = (...names: string[]) => join(bench.workspace, ...names);
    writeFileSync(at('run'), '#!/bin/sh\n');
    chmodSync(at('run'), 0o500);
    utimesSync(at('run'), 1_000_000, 1_000_000);
    symlinkSync(`..${sep}nowhere`, at('link'));
    linkSync(at('run'), at('same'));
    mkdirSync(at('closed'));
    writeFileSync(at('closed', 'file'), '');
    chmodSync(at('closed'), 0o500);
    writeFileSync(at('index.lock'), '');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
    await copy(() => {}, /\.lock$/);
    await new Promise((resolve) => server.close(resolve));
    expect(readdirSync(target).sort()).toEqual(['.git', 'README.md', 'closed', 'link', 'run', 'same']);
    expect(statSync(join(target, 'run'))).toMatchObject({ mode: 0o100500, mtimeMs: 1_000_000_000 });
    expect(readlinkSync(join(target, 'link'))).toBe(`..${sep}nowhere`);
    expect(folders.get(join(target, 'closed'))).toBe(0o500);
    chmodSync(at('closed'), 0o700);
  });
});
