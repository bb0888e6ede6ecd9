import type { ActionEnvelope, StateAction, Turn } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { Replica } from '../../src/mirror/replica.js';
import { busyChat, CHAT, chatState, delta, queued, sessionState, title, turn } from '../support/samples.js';

const clock = 100;
const env = { now: () => clock };

function envelope(serverSeq: number, action: StateAction, over: Partial<ActionEnvelope> = {}): ActionEnvelope {
  return { channel: CHAT, serverSeq, action, ...over };
}

function mine(clientSeq: number) {
  return { origin: { clientId: 'me', clientSeq } };
}

function session() {
  return new Replica('session', sessionState(), 10, 'me', env);
}

describe('a replica', () => {
  it('shows the confirmed state itself while nothing is pending', () => {
    const replica = session();
    expect(replica.optimistic).toBe(replica.confirmed);
    replica.apply([envelope(11, title('Other'))]);
    expect(replica.confirmed.title).toBe('Other');
    expect(replica.optimistic).toBe(replica.confirmed);
  });

  it('shows a pending action at once and keeps it out of the confirmed state', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    expect(replica.optimistic.title).toBe('Mine');
    expect(replica.confirmed.title).toBe('A session');
  });

  it('confirms an own action by its echo', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    const echo = envelope(11, title('Mine'), mine(1));
    expect(replica.apply([echo])).toEqual({ answers: [{ clientSeq: 1, envelope: echo }], news: [echo] });
    expect(replica.pending).toEqual([]);
    expect(replica.confirmed.title).toBe('Mine');
  });

  it('puts pending actions on top of what others do', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    replica.apply([envelope(11, title('Theirs'))]);
    expect(replica.confirmed.title).toBe('Theirs');
    expect(replica.optimistic.title).toBe('Mine');
  });

  it('reverts a rejected action and reduces it nowhere', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    const rejection = envelope(11, title('Mine'), { ...mine(1), rejectionReason: 'no' });
    const { answers } = replica.apply([rejection]);
    expect(answers).toEqual([{ clientSeq: 1, envelope: rejection }]);
    expect(replica.optimistic.title).toBe('A session');
  });

  it('never reduces a rejected action of somebody else (OQ-19)', () => {
    const replica = session();
    const origin = { clientId: 'other', clientSeq: 1 };
    replica.apply([envelope(11, title('Theirs'), { origin, rejectionReason: 'no' })]);
    expect(replica.confirmed.title).toBe('A session');
  });

  it('takes a rejection whatever its number, and does not count that number', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    expect(replica.apply([envelope(3, title('Mine'), { ...mine(1), rejectionReason: 'no' })]).answers).toHaveLength(1);
    replica.apply([envelope(20, title('x'), { rejectionReason: 'no' })]);
    expect(replica.seq).toBe(10);
  });

  it('matches echoes in any order (OQ-22)', () => {
    const replica = new Replica('chat', busyChat(), 10, 'me', env);
    for (const clientSeq of [1, 2, 3]) replica.predict({ clientSeq, action: queued(`q${clientSeq}`, 'x'), at: 5 });
    replica.apply([envelope(11, queued('q2', 'x'), mine(2))]);
    expect(replica.pending.map(({ clientSeq }) => clientSeq)).toEqual([1, 3]);
    expect(replica.optimistic.queuedMessages?.map(({ id }) => id)).toEqual(['q2', 'q1', 'q3']);
  });

  it('does not take the echo of another client with the same number for its own', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    replica.apply([envelope(11, title('Theirs'), { origin: { clientId: 'other', clientSeq: 1 } })]);
    expect(replica.pending).toHaveLength(1);
  });

  it('drops what the snapshot has already (B-53), but not the answer in it', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    const { answers, news } = replica.apply([envelope(9, title('Old')), envelope(10, title('Mine'), mine(1))]);
    expect(answers).toHaveLength(1);
    expect(news).toEqual([]);
    expect(replica.confirmed.title).toBe('A session');
  });

  it('drops what comes twice', () => {
    const replica = new Replica('chat', busyChat(), 10, 'me', env);
    replica.apply([envelope(11, delta('a')), envelope(11, delta('a'))]);
    replica.apply([envelope(11, delta('a')), envelope(12, delta('b'))]);
    expect(replica.confirmed.activeTurn?.responseParts).toEqual([{ kind: 'markdown', id: 'p', content: 'ab' }]);
  });

  it('keeps pending actions over a new snapshot, which may have a lower number', () => {
    const replica = session();
    replica.predict({ clientSeq: 1, action: title('Mine'), at: 5 });
    replica.install(sessionState({ lifecycle: 'creating' }), 2);
    expect(replica.optimistic).toMatchObject({ lifecycle: 'creating', title: 'Mine' });
    replica.apply([envelope(3, title('After'))]);
    expect(replica.confirmed.title).toBe('After');
  });

  it('derives the optimistic state only when read, and once', () => {
    const replica = session();
    let reductions = 0;
    const action = Object.defineProperty({ ...title('Mine') }, 'title', {
      get() {
        reductions++;
        return 'Mine';
      },
    });
    replica.predict({ clientSeq: 1, action, at: 5 });
    for (let seq = 11; seq < 20; seq++) replica.apply([envelope(seq, title(`T${seq}`))]);
    expect(reductions).toBe(0);
    expect(replica.optimistic).toBe(replica.optimistic);
    expect(reductions).toBe(1);
  });

  it('takes earlier turns whatever their number, which then counts for nothing else', () => {
    const state = chatState({ turns: [turn('c')], turnsNextCursor: '2' });
    const replica = new Replica('chat', state, 10, 'me', { now: () => 0 });
    const loaded = (seq: number, turns: Turn[], turnsNextCursor?: string) =>
      envelope(seq, { type: 'chat/turnsLoaded', turns, ...(turnsNextCursor !== undefined && { turnsNextCursor }) });
    const { news } = replica.apply([loaded(10, [turn('b')], '1'), loaded(99, [turn('a')])]);
    expect(news).toHaveLength(2);
    expect(replica.confirmed.turns.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(replica.confirmed.turnsNextCursor).toBeUndefined();
    expect(replica.seq).toBe(10);
    replica.apply([envelope(11, { type: 'chat/activityChanged', activity: 'busy' })]);
    expect(replica.confirmed.activity).toBe('busy');
  });

  it('ignores actions of other kinds and of later versions', () => {
    const replica = session();
    const before = replica.confirmed;
    replica.apply([envelope(11, delta('a')), envelope(12, { type: 'session/later' } as unknown as StateAction)]);
    expect(replica.confirmed).toBe(before);
    expect(replica.seq).toBe(12);
  });
});
