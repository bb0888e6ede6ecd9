import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeTurn, type Script } from './support/fake-turn.js';
import { emptyFolder, ISOLATIONS, makeFolder, openRig, type Rig, removeFolder } from './support/rig.js';

/** The host of these tests never answers what is open: the agent must not wait for that. */
const OPEN: [what: string, message: string, script: Script, reached: (turn: FakeTurn) => boolean][] = [
  ['a confirmation', '/write a.txt x', { decide: () => 'never' }, (turn) => turn.confirmations.length > 0],
  ['a question', '/ask Q', { answer: () => 'never' }, (turn) => turn.questions.length > 0],
  ['a wait', '/say waiting\n/wait 86400000', {}, (turn) => turn.text === 'waiting'],
  ['a stream', '/stream 1000000', {}, (turn) => turn.events.length > 10],
  ['a sub-agent', '/spawn /wait 86400000', { spawn: () => 'never' }, (turn) => turn.spawned.length > 0],
  [
    'a tool of a client',
    '/tool ring',
    { clientTools: [{ name: 'ring' }], callClientTool: () => 'never' },
    (turn) => turn.calls.size > 0,
  ],
];

describe.each(ISOLATIONS)('cancelling, isolation %s', (isolation) => {
  const folder = makeFolder();
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ isolation, folder });
  });
  beforeEach(() => emptyFolder(folder));
  afterAll(async () => {
    await rig.provider.dispose();
    removeFolder(folder);
  });

  it.each(OPEN)('stops at once during %s, and the next prompt works', async (_, message, script, reached) => {
    const { turn, outcome } = rig.start(`${message}\n/write after.txt x`, script);
    await turn.until(reached);
    turn.cancel();
    expect(await outcome).toEqual({ kind: 'cancelled' });
    expect(turn.violations).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    const next = await rig.run('/say next');
    expect(next.outcome).toEqual({ kind: 'complete' });
    expect(next.turn.text).toBe('next');
  });

  it('does not even begin a turn that was cancelled before', async () => {
    const turn = new FakeTurn('/say x');
    turn.cancel();
    expect(await rig.chat.prompt(turn)).toEqual({ kind: 'cancelled' });
    expect(turn.events).toEqual([]);
  });

  it('makes no change after the cancel, and reports one that was already made', async () => {
    await rig.run('/auto on');
    const { turn, outcome } = rig.start('/write a.txt x', {
      onEvent: (event) => {
        if (event.kind === 'toolCallRunning') turn.cancel();
      },
    });
    expect(await outcome).toEqual({ kind: 'cancelled' });
    // Another process may have been faster than the cancel.
    const made = existsSync(join(folder, 'a.txt'));
    expect(turn.results.map(({ success }) => success)).toEqual(made ? [true] : []);
    if (isolation === 'none') expect(made).toBe(false);
    await rig.run('/auto off');
  });

  it('writes nothing that was approved after the cancel', async () => {
    const { turn, outcome } = rig.start('/write a.txt x', {
      decide: () => {
        turn.cancel();
        return { approved: true };
      },
    });
    expect(await outcome).toEqual({ kind: 'cancelled' });
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  });
});
