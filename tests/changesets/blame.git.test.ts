import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BlameResult } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { userMessage } from '../support/test-host.js';

const LINES = Array.from({ length: 12 }, (_, line) => `line ${line}`);

let bench: ChangesBench;

beforeEach(async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': `${LINES.join('\n')}\n` }) });
});
afterEach(() => bench.dispose());

function byHand(line: string, by: string): void {
  writeFileSync(join(bench.folder, 'a.txt'), bench.read('a.txt').replace(`${line}\n`, `${by}\n`));
}

/** Each line of a side with its authors: `+` who added it, `-` who removed it; only lines that have some. */
async function blame(channel: string, side: 'before' | 'after', path = 'a.txt'): Promise<Record<number, string>> {
  const result = await bench.client.request('moorage/blame', { channel, file: bench.fileUri(path), side });
  const name = (sign: string, author: number | undefined) => {
    const { whose, turns = [] } = (author === undefined ? undefined : result.authors[author]) ?? { whose: '' };
    return author === undefined ? '' : sign + [whose, ...turns.map(({ turnId }) => turnId)].join(' ');
  };
  expect(result.spans.reduce((sum, { count }) => sum + count, 0)).toBe(result.lineCount);
  const lines = result.spans.flatMap(({ start, count, addedBy, removedBy }) =>
    Array.from({ length: count }, (_, at) => [start + at, name('+', addedBy) + name('-', removedBy)] as const),
  );
  return Object.fromEntries(lines.filter(([, authors]) => authors !== ''));
}

describe('moorage/blame', () => {
  it('says for every line of both sides which turn wrote or removed it, or that the user did', async () => {
    const one = await bench.turn('/replace a.txt line 2 => first');
    byHand('line 5', 'mine');
    const two = await bench.turn('/replace a.txt line 8 => second');
    const session = bench.uri({ kind: 'session' });
    expect(await blame(session, 'after')).toEqual({ 2: `+agent ${one}`, 5: '+user', 8: `+agent ${two}` });
    expect(await blame(session, 'before')).toEqual({ 2: `-agent ${one}`, 5: '+user', 8: `-agent ${two}` });
    expect(await blame(bench.turnUri(one), 'after')).toEqual({ 2: `+agent ${one}` });
    byHand('line 10', 'mine too');
    const uncommitted = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(uncommitted, ({ files }) => files[0]?.edit.diff?.added === 4);
    expect(await blame(uncommitted, 'after')).toEqual({
      2: `+agent ${one}`,
      5: '+user',
      8: `+agent ${two}`,
      10: '+user',
    });
    expect(await blame(uncommitted, 'before')).toEqual({
      2: `-agent ${one}`,
      5: '-user',
      8: `-agent ${two}`,
      10: '-user',
    });
  });

  it('names chat and message of a turn, also of another chat', async () => {
    const other = bench.host.newChatUri();
    await bench.client.request('createChat', { channel: bench.session, chat: other });
    await bench.client.subscribe(other);
    const message = userMessage('/auto on\n/replace a.txt line 2 => theirs');
    bench.client.dispatch(other, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'other-turn',
      message,
    });
    await bench.client.envelope((e) => e.channel === other && e.action.type === 'chat/turnComplete');
    const mine = await bench.turn('/replace a.txt line 8 => mine');
    const params = { channel: bench.turnUri(mine), file: bench.fileUri('a.txt'), side: 'before' as const };
    const { authors, spans } = await bench.client.request('moorage/blame', params);
    expect(authors[spans.find(({ start }) => start === 2)?.addedBy ?? -1]).toEqual({
      whose: 'agent',
      turns: [{ turnId: 'other-turn', chat: other, message: message.text }],
    });
  });

  it('follows a file that moved, and leaves a change that was taken back and brought back to its author', async () => {
    const one = await bench.turn('/replace a.txt line 2 => first');
    const two = await bench.turn('/run git mv a.txt b.txt');
    const session = bench.uri({ kind: 'session' });
    expect(await blame(session, 'after', 'b.txt')).toEqual({ 2: `+agent ${one}` });
    expect(await blame(bench.turnUri(two), 'after', 'b.txt')).toEqual({ 2: `+agent ${one}` });
    await bench.invoke(bench.turnUri(two), 'revert');
    await bench.invoke(bench.turnUri(one), 'revert');
    await bench.invoke(bench.turnUri(one), 'undo');
    expect(await blame(session, 'after')).toEqual({ 2: `+agent ${one}` });
    expect(await blame(session, 'before')).toEqual({ 2: `-agent ${one}` });
  });

  it('gives only the lines that were asked for, and refuses what has no lines', async () => {
    const turn = await bench.turn('/replace a.txt line 2 => first\n/run printf "a\\0b" > bin.dat');
    const channel = bench.turnUri(turn);
    const ask = (more: object) =>
      bench.client.request('moorage/blame', { channel, file: bench.fileUri('a.txt'), side: 'after', ...more });
    const { spans, lineCount }: BlameResult = await ask({ lines: { start: 1, count: 2 } });
    expect(lineCount).toBe(12);
    expect(spans).toEqual([
      { start: 1, count: 1 },
      { start: 2, count: 1, addedBy: 0 },
    ]);
    expect((await ask({ lines: { start: 40, count: 2 } })).spans).toEqual([]);
    const refused = (more: object) =>
      bench.client.refused('moorage/blame', { channel, file: bench.fileUri('a.txt'), side: 'after', ...more });
    expect(await refused({ file: bench.fileUri('bin.dat') })).toMatchObject({ code: -32602 });
    expect(await refused({ file: 'nowhere' })).toMatchObject({ code: -32602 });
    expect(await refused({ lines: { start: -1, count: 2 } })).toMatchObject({ code: -32602 });
    expect(await refused({ channel: bench.turnUri('none') })).toMatchObject({ code: -32008 });
  });
});
