import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesetFile } from '@moorage/protocol';
import { afterEach, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

/** Twenty lines, so that changes of different lines do not touch. */
const LINES = Array.from({ length: 20 }, (_, line) => `line ${line}`);

let bench: ChangesBench;
afterEach(() => bench.dispose());

function text(changed: Readonly<Record<number, string>> = {}): string {
  return LINES.map((line, at) => `${changed[at] ?? line}\n`).join('');
}

const hunk = (line: number) => ({ before: { start: line, count: 1 }, after: { start: line, count: 1 } });

it('compares the files after two turns, and marks what the user changed in between', async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': text(), 'b.txt': 'b\n' }) });
  const one = await bench.turn('/replace a.txt line 2 => first');
  writeFileSync(join(bench.folder, 'a.txt'), bench.read('a.txt').replace('line 9\n', 'mine\n'));
  bench.write('mine.txt', 'by hand\n');
  const two = await bench.turn('/replace a.txt line 16 => second\n/write b.txt changed');
  const shown = async (originalTurnId: string, modifiedTurnId: string) => {
    const uri = bench.uri({ kind: 'compare-turns', originalTurnId, modifiedTurnId });
    const { files } = await bench.changeset(uri);
    const side = (it: { content: { uri: string } } | undefined) => it && bench.text(it.content.uri);
    const a = files.find(({ id }) => id.endsWith('/a.txt')) as ChangesetFile;
    const notes = Object.fromEntries(files.map(({ id, _meta }) => [id.split('/').at(-1), _meta]));
    return { uri, notes, before: await side(a.edit.before), after: await side(a.edit.after) };
  };
  const marked = {
    'a.txt': {
      'moorage.changedBetween': true,
      'moorage.sharedWith': ['user'],
      'moorage.sharedHunks': [{ ...hunk(9), sharedWith: ['user'] }],
    },
    'b.txt': undefined,
  };
  const there = await shown(one, two);
  expect(there.before).toBe(text({ 2: 'first' }));
  expect(there.after).toBe(text({ 2: 'first', 9: 'mine', 16: 'second' }));
  expect(there.notes).toEqual({
    ...marked,
    'mine.txt': { 'moorage.changedBetween': true, 'moorage.sharedWith': ['user'] },
  });
  const back = await shown(two, one);
  expect([back.before, back.after]).toEqual([there.after, there.before]);
  expect(back.notes).toMatchObject(marked);
  // Nobody's work is taken back without having been named.
  await bench.invoke(there.uri, 'revert');
  expect(bench.read('a.txt')).toBe(text({ 2: 'first', 9: 'mine' }));
  expect(bench.read('b.txt')).toBe('b\n');
  expect(bench.read('mine.txt')).toBe('by hand\n');
});
