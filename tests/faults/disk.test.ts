import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_URI, type SessionState } from '@ahpd/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, startTurn, turn, turnEnd } from '../support/actions.js';
import { canMount, FaultBench } from '../support/fault-host.js';

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
    expect((await client.subscribe<SessionState>(session)).summary.title).toBe('Kept');
    expect(await client.request('ping', { channel: ROOT_URI })).toBe(null);
    rmSync(join(bench.data, 'ballast'));
    const end = await turnEnd(client, chat, turnId);
    expect(['chat/error', 'chat/turnComplete']).toContain(end.type);
    await accepted(client, session, title('After'));
    await turn(client, chat, '/say after');
    await client.close();
    await bench.host?.kill();
    const later = await bench.start();
    expect((await later.subscribe<SessionState>(session)).summary.title).toBe('After');
    const { turns, activeTurn } = await chatState(later, chat);
    expect([turns.length, activeTurn]).toEqual([3, undefined]);
    await later.close();
  });

  it('that is read-only from the start: the host says so and ends', async () => {
    bench.mount(bench.data, 'size=8m,ro');
    await expect(bench.start()).rejects.toThrow(/ended with 1: ahpd: .*(read-only|readonly|EROFS)/i);
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
