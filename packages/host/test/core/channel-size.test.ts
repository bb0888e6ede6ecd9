import { expect, it } from 'vitest';
import type { Channel } from '../../src/core/channel.js';
import { isFull, tooLarge } from '../../src/core/keeping.js';

const MEGABYTE = 1024 * 1024;

function channel(kind: 'chat' | 'annotations', saved: number, unsaved: number): Channel {
  const keeping = { kind: 'durable', session: 'ahp-session:/s', saved, unsaved } as const;
  return { uri: 'ahp-chat:/c', kind, state: {}, seq: 1, keeping } as unknown as Channel;
}

function message(chars: number, attached = 0) {
  const attachments = [{ type: 'embeddedResource', label: 'p', contentType: 'image/png', data: 'x'.repeat(attached) }];
  const sent = { text: 'x'.repeat(chars), origin: { kind: 'user' }, ...(attached > 0 && { attachments }) };
  return { type: 'chat/turnStarted', startedAt: '2026-01-01T00:00:00.000Z', turnId: 't', message: sent } as never;
}

it.each([
  ['a message', 1_000, 0, 0, undefined],
  ['a message with a large attachment, which is kept elsewhere', 1_000, 10 * MEGABYTE, 0, undefined],
  ['a message that is too long', 3 * MEGABYTE, 0, 0, 'attach'],
  ['a message in a chat that is full', 10_000, 0, 100 * MEGABYTE, 'new one'],
  ['a small action in a chat that is full', 10, 0, 100 * MEGABYTE, undefined],
])('%s', (_what, chars, attached, saved, problem) => {
  const answer = tooLarge(channel('chat', saved, 0), message(chars, attached));
  if (problem === undefined) expect(answer).toBeUndefined();
  else expect(answer).toContain(problem);
});

it('what is not saved yet counts, too', () => {
  expect(isFull(channel('chat', 60 * MEGABYTE, 0))).toBe(false);
  expect(isFull(channel('chat', 60 * MEGABYTE, 60 * MEGABYTE))).toBe(true);
});
