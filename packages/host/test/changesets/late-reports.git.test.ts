import { expect, it } from 'vitest';
import { FolderLog } from '../../src/services/changesets/authorship/folder-log.js';
import { ownChanges } from '../../src/services/changesets/authorship/own-changes.js';
import { textsOf } from '../../src/services/changesets/authorship/texts.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { Bench } from '../workspace/harness.js';

const FOLDER = 'file:///folder';

it('of what one command changed do not make others of what another one changes after a look', async () => {
  const bench = new Bench();
  try {
    bench.commit({ 'a.txt': 'one\ntwo\nthree\n' });
    const workspaces = bench.open();
    const workspace = workspaces.open(bench.folder);
    const state = () => workspace.checkpoint({ freshness: 'exact' });
    let moment = 0;
    let report = Promise.resolve();
    const log = new FolderLog(
      new ManualClock(),
      () => ++moment,
      async (onCaughtUp) => {
        await report;
        onCaughtUp();
        return state();
      },
    );
    const run = (turn: string, type: 'chat/toolCallReady' | 'chat/toolCallComplete') =>
      log.observe(turn, {
        turnId: turn,
        toolCallId: turn,
        ...(type === 'chat/toolCallReady'
          ? { type, invocationMessage: 'Runs', confirmed: 'not-needed' }
          : { type, result: { success: true, pastTenseMessage: 'Ran' } }),
      });
    for (const key of ['first', 'second']) log.begin({ key, above: [], folder: FOLDER, folders: [FOLDER] });
    const begin = log.addState(await state(), ++moment);

    run('first', 'chat/toolCallReady');
    bench.write('a.txt', 'ONE\ntwo\nthree\n');
    // The watcher is late: the look after the command has begun when it reports what the command did.
    report = Promise.resolve().then(() => log.touched(['a.txt']));
    run('first', 'chat/toolCallComplete');
    await log.upToDate();
    report = Promise.resolve();
    log.addState(await state(), ++moment); // another look, which finds the same
    log.end('first');
    run('second', 'chat/toolCallReady');
    bench.write('a.txt', 'ONE\ntwo\nTHREE\n');
    log.touched(['a.txt']);
    run('second', 'chat/toolCallComplete');
    await log.upToDate();

    const end = { startedAt: ++moment, endedAt: ++moment, state: await state() };
    const scene = { key: 'second', workspace, log, states: [...log.since(begin), end] };
    const [change, ...others] = await ownChanges(scene, await workspace.compare(begin.state, end.state), {
      textsOf: (one) => textsOf(workspaces, one),
      contentAt: () => undefined,
      nameOf: (key) => key,
    });
    expect(others).toEqual([]);
    expect(change).toMatchObject({ added: 1, removed: 1 });
    expect(change?.sharedWith).toBeUndefined();
  } finally {
    await bench.dispose();
  }
});
