import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Script } from './support/fake-turn.js';
import { emptyFolder, ISOLATIONS, makeFolder, openRig, removeFolder } from './support/rig.js';

describe.each(ISOLATIONS)('after a restart of the host, isolation %s', (isolation) => {
  const folder = makeFolder();
  beforeEach(() => emptyFolder(folder));
  afterAll(() => removeFolder(folder));

  /** Runs a message until it waits for the user, and lets that host die; what it saved is all that remains. */
  const interrupt = async (message: string, script: Script) => {
    const rig = await openRig({ isolation, folder });
    const { turn } = rig.start(message, { ...script, turnId: 't' });
    await turn.until(({ confirmations, questions }) => confirmations.length + questions.length === 1);
    turn.cancel();
    await rig.provider.dispose();
    return { turn, resumeState: rig.saved.at(-1) };
  };
  const resume = async (message: string, resumeState: unknown, script: Script = {}) => {
    const rig = await openRig({ isolation, folder, resumeState });
    const resumed = await rig.run(message, { ...script, turnId: 't', resumed: true });
    await rig.provider.dispose();
    return resumed;
  };

  it('takes a turn up where it waited for a confirmation', async () => {
    const message = '/say before\n/read nothing\n/write a.txt x\n/write b.txt y';
    const { turn: first, resumeState } = await interrupt(message, { decide: () => 'never' });
    const { turn, outcome } = await resume(message, resumeState);
    expect(outcome).toEqual({ kind: 'complete' });
    expect(first.text).toBe('before');
    expect(turn.text).toBe('');
    expect(turn.confirmations[0]).toEqual(first.confirmations[0]);
    expect(turn.confirmations.map(({ toolCallId }) => toolCallId)).toEqual(['t-2', 't-3']);
    expect(turn.events[0]).toMatchObject({ kind: 'toolCallContent', toolCallId: 't-2' });
    expect(readdirSync(folder)).toEqual(['a.txt', 'b.txt']);
  });

  it('takes a turn up where it waited for an answer, also in steps of a steering message', async () => {
    const message = '/say before\n/say last';
    const { turn: first, resumeState } = await interrupt(message, {
      steering: ['/say steered\n/ask Q\n/say after'],
      answer: () => 'never',
    });
    expect(first.text).toBe('before\n\nsteered');
    const { turn } = await resume(message, resumeState, {
      answer: () => ({
        response: 'accept',
        answers: { answer: { state: 'submitted', value: { kind: 'text', value: 'A' } } },
      }),
    });
    expect(turn.questions).toEqual(first.questions);
    expect(turn.text).toBe('You answered: A\n\nafter\n\nlast');
  });

  it('still leaves a file alone that is not as the user was shown', async () => {
    writeFileSync(join(folder, 'a.txt'), 'one');
    const { resumeState } = await interrupt('/write a.txt mine', { decide: () => 'never' });
    writeFileSync(join(folder, 'a.txt'), 'theirs');
    const { turn } = await resume('/write a.txt mine', resumeState);
    expect(turn.results[0]).toMatchObject({ success: false, error: { code: 'changed' } });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('theirs');
  });

  it.each([undefined, null, 'nonsense', {}, { auto: { mode: 'off', revision: 0 } }, { auto: 1, progress: {} }])(
    'ends a turn that it knows nothing of: %j',
    async (resumeState) => {
      const { turn, outcome } = await resume('/write a.txt x', resumeState);
      expect(outcome).toMatchObject({ kind: 'error', error: { errorType: 'cannotResume' } });
      expect(turn.events).toEqual([]);
    },
  );

  it('remembers /auto', async () => {
    const first = await openRig({ isolation, folder });
    await first.run('/auto on');
    await first.provider.dispose();
    const second = await openRig({ isolation, folder, sessionState: first.savedForSession.at(-1) });
    expect((await second.run('/write a.txt x\n/auto off')).turn.confirmations).toEqual([]);
    await second.provider.dispose();
    const third = await openRig({ isolation, folder, sessionState: second.savedForSession.at(-1) });
    expect((await third.run('/write a.txt y')).turn.confirmations).toHaveLength(1);
    await third.provider.dispose();
  });
});

describe("/auto is the session's", () => {
  const session = 'ahp-session:/shared';
  const folder = makeFolder();
  afterAll(() => removeFolder(folder));

  it('holds in all chats of the session, and only there', async () => {
    const one = await openRig({ isolation: 'none', folder, session });
    const two = await openRig({ provider: one.provider, folder, session });
    const stranger = await openRig({ provider: one.provider, folder, session: 'ahp-session:/other' });
    await one.run('/auto on');
    expect((await two.run('/write a.txt x')).turn.confirmations).toEqual([]);
    expect((await stranger.run('/write a.txt y')).turn.confirmations).toHaveLength(1);
    const late = await openRig({ provider: one.provider, folder, session });
    expect((await late.run('/write a.txt z')).turn.confirmations).toEqual([]);
  });

  it('is still known when all chats were closed, and starts afresh where nothing sensible was saved', async () => {
    const one = await openRig({ isolation: 'none', folder, session });
    await one.run('/auto on');
    await one.chat.dispose();
    const sessionState = one.savedForSession.at(-1);
    const two = await openRig({ provider: one.provider, folder, session, sessionState });
    expect((await two.run('/write a.txt x')).turn.confirmations).toEqual([]);
    await one.chat.dispose(); // again: it must not take the other chat's setting with it
    const three = await openRig({ provider: one.provider, folder, session });
    expect((await three.run('/write a.txt x')).turn.confirmations).toEqual([]);
    const strange = await openRig({ isolation: 'none', folder, session, sessionState: { auto: 'always' } });
    expect((await strange.run('/write a.txt x')).turn.confirmations).toHaveLength(1);
  });
});
