import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approval } from '../support/actions.js';
import { TestHost, userMessage } from '../support/test-host.js';

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.start();
});
afterEach(() => host.dispose());

describe('a turn', () => {
  it('streams an answer to every client that watches', async () => {
    const alice = await host.client();
    const bob = await host.client();
    const { session, chat } = await host.session(alice);
    await bob.subscribe(chat);
    const echo = await alice.act(chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't1',
      message: userMessage('/say hello there'),
    });
    expect(echo.rejectionReason).toBeUndefined();
    await alice.action(chat, 'chat/turnComplete');
    await bob.action(chat, 'chat/turnComplete');
    expect(bob.actionsOn(chat)).toEqual(alice.actionsOn(chat));
    const state = await bob.subscribe<ChatState>(chat);
    const text = state.turns[0]?.responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('');
    expect(text).toContain('hello there');
    expect(state.status).toBe(1);
    expect(session).toBeTruthy();
  });

  it('asks before it writes a file, and writes it once somebody agrees', async () => {
    const alice = await host.client();
    const bob = await host.client();
    const { chat } = await host.session(alice);
    await bob.subscribe(chat);
    alice.dispatch(chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 't1',
      message: userMessage('/write a.txt one\\ntwo'),
    });
    const ready = await bob.action(chat, 'chat/toolCallReady');
    const preview = ready.edits?.items[0]?.after?.content.uri ?? '';
    expect(await bob.request('resourceRead', { channel: 'ahp-root://', uri: preview })).toMatchObject({
      data: 'one\ntwo',
    });
    await bob.act(chat, approval('t1', ready.toolCallId));
    const late = await alice.act(chat, {
      type: 'chat/toolCallConfirmed',
      turnId: 't1',
      toolCallId: ready.toolCallId,
      approved: false,
      reason: 'denied',
    });
    expect(late.rejectionReason).toMatch(/does not wait/);
    await alice.action(chat, 'chat/turnComplete');
    expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('one\ntwo');
  });
});
