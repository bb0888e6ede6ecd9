import type { ChangesetSelector } from '@moorage/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

/** Every operation that all kinds of changesets have, in every scope that it has. */
const OLD = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');

let bench: ChangesBench;
let turns: string[];
beforeAll(async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD, 'b.txt': 'b\n' }) });
  const first = await bench.turn('/say nothing');
  const second = await bench.turn(
    '/replace a.txt line 3\\n => three\\n\n/replace a.txt line 15\\n => fifteen\\n\n/append b.txt more\\n\n/write c.txt new\\n',
  );
  turns = [first, second];
});
afterAll(() => bench.dispose());

const kinds: [string, () => ChangesetSelector][] = [
  ['turn', () => ({ kind: 'turn', turnId: turns[1] ?? '' })],
  ['session', () => ({ kind: 'session' })],
  ['compare-turns', () => ({ kind: 'compare-turns', originalTurnId: turns[0] ?? '', modifiedTurnId: turns[1] ?? '' })],
  ['branch', () => ({ kind: 'branch' })],
  ['uncommitted', () => ({ kind: 'uncommitted' })],
];

it.each(kinds)('%s', async (_kind, select) => {
  const uri = bench.uri(select());
  const whole = bench.tree();
  const edited = bench.read('a.txt');
  const { files } = await bench.changeset(uri);
  expect(files).toHaveLength(3);

  const patch = async (target?: Parameters<ChangesBench['invoke']>[2]) =>
    bench.text((await bench.invoke(uri, 'open-diff', target)).followUp?.content.uri ?? '');
  expect((await patch()).match(/^diff --git/gm)).toHaveLength(3);
  expect(await patch(bench.resource('b.txt'))).toContain('+more');

  const noteOf = async (name: string, key: string) => {
    const find = (state: typeof files) => state.find(({ id }) => id.endsWith(`/${name}`))?._meta?.[key];
    return find((await bench.changeset(uri, (state) => find(state.files) !== undefined)).files);
  };
  const isReviewed = async (name: string) => {
    const find = (state: typeof files) => state.find(({ id }) => id.endsWith(`/${name}`))?.reviewed;
    return find((await bench.changeset(uri, (state) => find(state.files) !== undefined)).files);
  };
  await bench.invoke(uri, 'keep', bench.lines('a.txt', 3, 3));
  expect(await noteOf('a.txt', 'moorage.reviewedHunks')).toHaveLength(1);
  await bench.invoke(uri, 'keep', bench.resource('b.txt'));
  expect(await isReviewed('b.txt')).toBe(true);
  await bench.invoke(uri, 'keep');
  expect(await isReviewed('c.txt')).toBe(true);
  // The other kinds share the marks, and begin without them.
  const ids = files.map(({ id }) => id);
  await bench.client.act(uri, { type: 'changeset/filesReviewChanged', files: ids, reviewed: false });
  await bench.changeset(uri, (state) => state.files.every(({ reviewed }) => !reviewed));

  await bench.invoke(uri, 'revert', bench.lines('a.txt', 15, 15, 'before'));
  expect(bench.read('a.txt')).toBe(edited.replace('fifteen', 'line 15'));
  await bench.expectUndo(uri, whole);
  await bench.invoke(uri, 'revert', bench.resource('c.txt'));
  expect(bench.has('c.txt')).toBe(false);
  await bench.invoke(uri, 'revert', bench.resource('b.txt'));
  expect(bench.read('b.txt')).toBe('b\n');
  await bench.invoke(uri, 'undo');
  await bench.expectUndo(uri, whole);
  await bench.invoke(uri, 'revert');
  expect(bench.tree()).toEqual({ 'a.txt': `- ${OLD}`, 'b.txt': '- b\n' });
  await bench.expectUndo(uri, whole);
  await bench.changeset(uri, (state) => state.files.length === 3);
  bench.client.peer.notify('unsubscribe', { channel: uri }); // the others need not keep it up to date
});
