import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangesetState, changesetUri, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, callsOf, chatState, PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { canMount, FaultBench } from '../support/fault-host.js';
import { runMoorage } from '../support/store-damage.js';
import { userMessage } from '../support/test-host.js';

let bench: FaultBench;
beforeEach(() => {
  bench = new FaultBench();
});
afterEach(() => bench.dispose());

const title = (text: string) => ({ type: 'session/titleChanged', title: text });

describe.runIf(canMount())('a real disk under a real host', () => {
  it('that is full: what is refused is said, what is stored stays, turns end, and all goes on once there is room', async () => {
    bench.mount(bench.data, 'size=12m');
    const client = await bench.start();
    const { session, chat } = await bench.session(client);
    await turn(client, chat, '/say before');
    await accepted(client, session, title('Kept'));
    const turnId = startTurn(client, chat, '/stream 300');
    await client.action(chat, 'chat/responsePart', 2);
    fill(join(bench.data, 'ballast'));
    const big = 'x'.repeat(2_000_000); // more than the room that SQLite has left in its files
    const lost = await client.act(session, title(big));
    expect(lost.rejectionReason).toContain('could not store');
    expect((await client.subscribe<SessionState>(session)).title).toBe('Kept');
    expect(await client.request('ping', { channel: ROOT_URI })).toBe(null);
    rmSync(join(bench.data, 'ballast'));
    const end = await turnEnd(client, chat, turnId);
    expect(['chat/error', 'chat/turnComplete']).toContain(end.type);
    await accepted(client, session, title('After'));
    await turn(client, chat, '/say after');
    await client.close();
    await bench.host?.kill();
    const later = await bench.start();
    expect((await later.subscribe<SessionState>(session)).title).toBe('After');
    const { turns, activeTurn } = await chatState(later, chat);
    expect([turns.length, activeTurn]).toEqual([3, undefined]);
    await later.close();
  });

  it.each([
    ['for the store', '16k', 0],
    ['for the files', '512k', 1_000_000],
  ])('that has no room %s: a backup says so and leaves nothing behind', async (_what, size, bytes) => {
    const disk = join(bench.folder, 'disk');
    mkdirSync(disk);
    bench.mount(disk, `size=${size}`);
    const client = await bench.start();
    const { chat } = await bench.session(client);
    await turn(client, chat, '/say stored');
    writeFileSync(join(bench.data, 'worktrees', 'large'), Buffer.alloc(bytes));
    const { code, stderr } = runMoorage('backup', join(disk, 'backup'), '--data-dir', bench.data);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^moorage: no backup was made.*the disk is full/)]);
    expect(readdirSync(disk)).toEqual([]);
    const refused = runMoorage('backup', disk, '--data-dir', bench.data);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is a disk of its own')]);
    await turn(client, chat, '/say goes on');
    await client.close();
  });

  it('that is read-only from the start: the host says so and ends', async () => {
    bench.mount(bench.data, 'size=8m,ro');
    await expect(bench.start()).rejects.toThrow(/ended with 1: moorage: .*(read-only|readonly|EROFS)/i);
  });
});

describe.runIf(canMount())('a real disk that becomes read-only while the host runs', () => {
  it('under its data: what is refused is said, what is stored can be read, and nothing of it is lost', async () => {
    const image = bench.mountDisk(bench.data, 48);
    const client = await bench.start();
    const { session, chat } = await bench.session(client);
    await turn(client, chat, '/say before');
    await accepted(client, session, title('Kept'));
    execFileSync('sync', ['-f', bench.data]); // what a disk that fails had not written yet is lost with it
    bench.remount(bench.data, 'abort'); // as ext4 does by itself when its disk reports errors
    for (let tries = 0; tries < 3; tries++) {
      const refused = await client.act(session, title(`Lost ${tries}`));
      expect(refused.rejectionReason).toMatch(/could not store/);
    }
    const start = {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'refused',
      message: userMessage('/say no'),
    };
    expect((await client.act(chat, start)).rejectionReason).toContain('could not store');
    expect((await client.subscribe<SessionState>(session)).title).toBe('Kept');
    expect((await chatState(client, chat)).turns).toHaveLength(1);
    expect((await client.request('listSessions', { channel: ROOT_URI })).items).toHaveLength(1);
    // Whose id it is would have to be stored, so that nobody else can take it.
    await expect(bench.client('stranger')).rejects.toThrow(/could not be read or written|read-only/);
    await client.close();
    const again = await bench.client(client.clientId);
    expect((await again.subscribe<SessionState>(session)).title).toBe('Kept');
    await again.close();
    await bench.host?.kill();
    bench.host = undefined;
    bench.replug(bench.data, image);
    const later = await bench.start();
    expect((await later.subscribe<SessionState>(session)).title).toBe('Kept');
    await later.subscribe(chat);
    await turn(later, chat, '/say after');
    await accepted(later, session, title('After'));
    expect((await chatState(later, chat)).turns.map(({ state }) => state)).toEqual(['complete', 'complete']);
    await later.close();
  });

  it('under the work tree: edits and operations fail and change nothing, and all goes on when it is writable again', async () => {
    const { workspace } = bench;
    const repository = join(bench.folder, 'repository');
    execFileSync('git', ['clone', '-q', workspace, repository]);
    bench.mount(workspace, 'size=16m');
    execFileSync('cp', ['-a', `${repository}/.`, workspace]);
    const client = await bench.start();
    const { session, chat } = await bench.session(client);
    await turn(client, chat, '/auto on\n/write made.txt first\\n');
    const channel = changesetUri(session, { kind: 'uncommitted' });
    const files = async () => {
      const { status, files } = await client.subscribe<ChangesetState>(channel);
      return status === 'ready' ? files.length : status;
    };
    await expect.poll(files, PATIENT).toBe(1);
    bench.remount(workspace, 'ro');
    await turn(client, chat, '/auto on\n/write made.txt second\\n');
    const [call] = callsOf((await chatState(client, chat)).turns.at(-1)?.responseParts);
    expect(call).toMatchObject({ status: 'completed', success: false });
    const error = await client.refused('invokeChangesetOperation', { channel, operationId: 'revert' });
    expect(error.message).toMatch(/cannot be written to/);
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toContain('first');
    expect(await files()).toBe(1);
    bench.remount(workspace, 'rw');
    await turn(client, chat, '/auto on\n/write made.txt third\\n');
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toContain('third');
    await client.request('invokeChangesetOperation', { channel, operationId: 'revert' });
    expect(readdirSync(workspace).sort()).toEqual(['.git', 'README.md']);
    await client.close();
  });
});

/** Takes what is left of a disk. */
function fill(file: string): void {
  const chunk = Buffer.alloc(64 * 1024);
  try {
    for (let size = 0; size < 1024; size++) writeFileSync(file, chunk, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
