import type { ChatState } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { allTurns, loadEarlierTurns } from '../../src/index.js';
import { fakeHost, quiet, reconnect, rig } from '../support/rig.js';
import { CHAT, chatState, turn } from '../support/samples.js';

const ids = ({ turns }: ChatState) => turns.map(({ id }) => id).join('');

/** A chat with the turns a to h, of which a client is shown the last three. */
async function longChat() {
  const host = fakeHost();
  host.add(CHAT, 'chat', chatState({ turns: [...'abcdefgh'].map(turn) }));
  const r = await rig({ host });
  const chat = await r.client.chat(CHAT, { turns: 3 });
  return { ...r, chat };
}

const finish = (id: string) => [
  { type: 'chat/turnStarted' as const, turnId: id, startedAt: '2026-01-01T00:00:00.000Z', message: turn(id).message },
  { type: 'chat/turnComplete' as const, turnId: id, duration: 1 },
];

describe('the turns before those of a view', () => {
  it('come page by page, without changing what is there', async () => {
    const { client, chat } = await longChat();
    expect(ids(chat.confirmed)).toBe('fgh');
    expect(await loadEarlierTurns(client, chat)).toBe(true);
    expect(ids(chat.confirmed)).toBe('defgh');
    expect(await loadEarlierTurns(client, chat)).toBe(true);
    expect(ids(chat.optimistic)).toBe('bcdefgh');
    expect(await loadEarlierTurns(client, chat)).toBe(true);
    expect(await loadEarlierTurns(client, chat)).toBe(false);
    expect(ids(chat.confirmed)).toBe('abcdefgh');
  });

  it('all come when all are wanted', async () => {
    const { client, chat } = await longChat();
    expect((await allTurns(client, chat)).map(({ id }) => id).join('')).toBe('abcdefgh');
    expect(chat.confirmed.turnsNextCursor).toBeUndefined();
  });

  it('are an error when the host answers without them', async () => {
    const { host, client, chat } = await longChat();
    host.onRequest = (method) => (method === 'fetchTurns' ? {} : undefined);
    await expect(allTurns(client, chat)).rejects.toThrow('without sending turns');
  });

  it('do not stand in the way of what happens meanwhile', async () => {
    const r = await longChat();
    await loadEarlierTurns(r.client, r.chat);
    for (const action of finish('i')) r.host.emit(CHAT, action);
    await quiet(r);
    expect(ids(r.chat.confirmed)).toBe('defghi');
    expect(r.client.serverSeq).toBe(r.host.serverSeq);
  });

  it('stay when what was missed is replayed', async () => {
    const r = await longChat();
    await loadEarlierTurns(r.client, r.chat);
    await r.network.drop();
    for (const action of finish('i')) r.host.emit(CHAT, action);
    await reconnect(r);
    expect([r.host.resumed.replay, ids(r.chat.confirmed)]).toEqual([1, 'defghi']);
    await loadEarlierTurns(r.client, r.chat);
    expect(ids(r.chat.confirmed)).toBe('bcdefghi');
  });

  it('are asked for anew after a snapshot, which shows the latest again', async () => {
    const r = await longChat();
    await loadEarlierTurns(r.client, r.chat);
    r.host.emitDamaged(CHAT, { type: 'chat/activityChanged', activity: 'busy' }, 'me', { serverSeq: 'x' });
    await quiet(r);
    expect(r.chat.status).toBe('live');
    expect([ids(r.chat.confirmed), r.chat.confirmed.activity]).toEqual(['fgh', 'busy']);
    expect((await allTurns(r.client, r.chat)).map(({ id }) => id).join('')).toBe('abcdefgh');
  });

  it('do not continue a snapshot that came after they were asked for', async () => {
    const r = await longChat();
    await loadEarlierTurns(r.client, r.chat);
    let answer = (_: object) => {};
    r.host.onRequest = (method) => {
      if (method !== 'subscribe') return undefined;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    r.host.emitDamaged(CHAT, { type: 'chat/activityChanged', activity: 'busy' }, 'me', { serverSeq: 'x' });
    await quiet(r);
    // b and c come while the new snapshot is on its way; they would leave a gap before f.
    await expect(loadEarlierTurns(r.client, r.chat)).rejects.toThrow('without sending turns');
    const all = r.host.state(CHAT) as ChatState;
    const state = { ...all, turns: all.turns.slice(5), turnsNextCursor: '5' };
    answer({ snapshot: { resource: CHAT, state, fromSeq: r.host.serverSeq } });
    await quiet(r);
    expect(ids(r.chat.confirmed)).toBe('fgh');
  });

  it('are what is left when a chat is cut off before the view', async () => {
    const r = await longChat();
    r.host.emit(CHAT, { type: 'chat/truncated', turnId: 'b' });
    await quiet(r);
    expect([r.chat.status, ids(r.chat.confirmed)]).toEqual(['live', 'ab']);
    expect(r.errors).toEqual([]);
  });

  it('are not fetched anew when a chat is cut off within the view, or altogether', async () => {
    const r = await longChat();
    r.host.emit(CHAT, { type: 'chat/truncated', turnId: 'g' });
    await quiet(r);
    expect(ids(r.chat.confirmed)).toBe('fg');
    r.host.emit(CHAT, { type: 'chat/truncated' });
    await quiet(r);
    expect(ids(r.chat.confirmed)).toBe('');
    expect(r.host.heard.filter(({ method }) => method === 'subscribe')).toHaveLength(1);
  });
});
