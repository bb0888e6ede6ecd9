import { demoAgent } from '@moorage/agents/demo';
import type { ToolCallResult } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, callsOf, chatState, reasonFor, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const RESULT = { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: 'a red house' }] } as const;

let clock: ManualClock;
let host: TestHost;
let owner: WireClient;
let bob: WireClient;
beforeEach(async () => {
  clock = new ManualClock();
  host = await TestHost.start({ clock, agents: [demoAgent({ isolation: 'none' })] });
  owner = await host.client();
  bob = await host.client();
});
afterEach(() => host.dispose());

/** A turn in which the tool `look` of the owner runs. */
async function looking(turnId?: string) {
  const activeClient = { clientId: owner.clientId, tools: [{ name: 'look', title: 'Look around' }] };
  const { session, chat } = await host.session(owner, { activeClient });
  await bob.subscribe(session);
  await bob.subscribe(chat);
  const id = startTurn(bob, chat, '/tool look {"at": "house"}\n/say done', turnId);
  const { toolCallId } = await bob.action(chat, 'chat/toolCallReady');
  const target = { turnId: id, toolCallId };
  return {
    session,
    chat,
    turnId: id,
    toolCallId,
    complete: (result: object = RESULT, more: object = {}) => ({
      type: 'chat/toolCallComplete',
      ...target,
      result,
      ...more,
    }),
    progress: (text: string) => ({ type: 'chat/toolCallContentChanged', ...target, content: [{ type: 'text', text }] }),
    deny: () => ({ type: 'chat/toolCallConfirmed', ...target, approved: false, reason: 'denied' }),
    call: async () => {
      const { activeTurn, turns } = await chatState(bob, chat);
      return callsOf((activeTurn ?? turns.at(-1))?.responseParts)[0];
    },
    end: async () => {
      await turnEnd(bob, chat, id);
      return textOf((await chatState(bob, chat)).turns.at(-1));
    },
  };
}

const failed = (message: string) => ({
  status: 'completed',
  success: false,
  error: { message: expect.stringContaining(message) },
});

describe('a tool of the active client', () => {
  it('runs in the client that offers it, which reports and completes it (B-191, B-194, B-195, B-196)', async () => {
    const { chat, progress, complete, call, end } = await looking();
    const contributor = { kind: 'client', clientId: owner.clientId };
    const shown = {
      toolName: 'look',
      displayName: 'Look around',
      contributor,
      toolInput: expect.stringContaining('house'),
    };
    expect(await call()).toMatchObject({ ...shown, status: 'running', confirmed: 'not-needed' });
    await accepted(owner, chat, progress('looking...'));
    expect(await call()).toMatchObject({ status: 'running', content: [{ text: 'looking...' }] });
    await accepted(owner, chat, complete());
    expect(await end()).toBe('done');
    expect(await call()).toMatchObject({ ...shown, ...RESULT, status: 'completed' });
  });

  it('cannot be touched by another client, nor twice, nor under another name (B-197, OQ-63)', async () => {
    const { chat, progress, complete, end } = await looking();
    expect(await reasonFor(bob, chat, complete())).toContain('only the client');
    expect(await reasonFor(bob, chat, progress('x'))).toContain('only the client');
    expect(await reasonFor(owner, chat, complete(RESULT, { toolCallId: 'x' }))).toContain('no such call');
    expect(await reasonFor(owner, chat, complete(RESULT, { turnId: 'x' }))).toContain('no such call');
    await accepted(owner, chat, complete());
    expect(await reasonFor(owner, chat, complete())).toContain('no such call');
    expect(await end()).toBe('done');
    expect(await reasonFor(owner, chat, progress('late'))).toContain('no such call');
  });

  it('cannot change what the call is by its result (OQ-30)', async () => {
    const { chat, complete, call } = await looking();
    for (const key of [
      'status',
      'toolCallId',
      'toolName',
      'contributor',
      'toolInput',
      'confirmed',
      'selectedOption',
      '_meta',
    ]) {
      expect(await reasonFor(owner, chat, complete({ ...RESULT, [key]: 'mine' }))).toContain(`"${key}"`);
    }
    expect((await call())?.status).toBe('running');
    await accepted(owner, chat, complete({ ...RESULT, structuredContent: { found: null }, extra: 'kept' }));
    expect(await call()).toMatchObject({ structuredContent: { found: null }, extra: 'kept' });
  });

  it('fails when its owner says so, or denies it though it runs (B-198, OQ-60)', async () => {
    const first = await looking();
    const result: ToolCallResult = {
      success: false,
      pastTenseMessage: 'Could not look',
      error: { message: 'too dark' },
    };
    await accepted(owner, first.chat, first.complete(result));
    expect(await first.end()).toContain('too dark');
    const second = await looking();
    expect(await reasonFor(bob, second.chat, second.deny())).toContain('does not wait');
    expect((await second.call())?.status).toBe('running');
    expect(await reasonFor(owner, second.chat, second.deny())).toContain('does not wait');
    expect(await second.end()).toMatch(/refused[\s\S]*done/);
    expect(await second.call()).toMatchObject(failed('refused'));
  });

  it('may leave its result to the user; the agent waits for that (B-177, OQ-68)', async () => {
    for (const approved of [true, false]) {
      const { chat, turnId, toolCallId, complete, call, end } = await looking();
      await accepted(owner, chat, complete(RESULT, { requiresResultConfirmation: true }));
      await bob.sync();
      expect((await call())?.status).toBe('pending-result-confirmation');
      await accepted(bob, chat, { type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved });
      expect(await end()).toContain('done');
      expect((await call())?.status).toBe(approved ? 'completed' : 'cancelled');
    }
  });

  it('that nobody offers is refused by the agent', async () => {
    const { chat } = await host.session(owner);
    await turn(owner, chat, '/tool look {}\n/say done');
    const { turns } = await chatState(owner, chat);
    expect(callsOf(turns[0]?.responseParts)).toMatchObject([failed('no tool look')]);
    expect(textOf(turns[0])).toBe('done');
  });
});

describe('when the owner of a running tool disconnects', () => {
  it('the call fails after a grace time, and the turn goes on (B-200, OQ-66)', async () => {
    const { session, chat, call, end } = await looking();
    await host.leave(owner);
    await bob.action(session, 'session/activeClientRemoved');
    clock.advance(29_999);
    await bob.sync();
    expect((await call())?.status).toBe('running');
    clock.advance(1);
    expect(await end()).toMatch(/disconnected[\s\S]*done/);
    expect(await call()).toMatchObject(failed('disconnected'));
    await host.reconnect(owner, [chat]);
  });

  it('it may come back in time and finish the call, active or not (OQ-66)', async () => {
    const { chat, complete, call, end } = await looking();
    await host.leave(owner);
    clock.advance(20_000);
    const { client } = await host.reconnect(owner, [chat]);
    clock.advance(20_000);
    await client.sync();
    expect((await call())?.status).toBe('running');
    await accepted(client, chat, complete());
    expect(await end()).toBe('done');
  });

  it('every absence has its own grace time', async () => {
    const { chat, call } = await looking();
    await host.leave(owner);
    clock.advance(20_000);
    const { client } = await host.reconnect(owner, [chat]);
    await host.leave(client);
    clock.advance(20_000);
    await bob.sync();
    expect((await call())?.status).toBe('running');
    clock.advance(10_000);
    await bob.action(chat, 'chat/toolCallComplete');
    expect(await call()).toMatchObject(failed('disconnected'));
  });
});

describe('an owner that does not answer', () => {
  it('makes the call fail after ten minutes (B-199)', async () => {
    const { chat, call } = await looking();
    clock.advance(599_999);
    await bob.sync();
    expect((await call())?.status).toBe('running');
    clock.advance(1);
    await bob.action(chat, 'chat/toolCallComplete');
    expect(await call()).toMatchObject(failed('in time'));
  });

  it('is timed for each call alone, whatever the ids of their turns', async () => {
    const first = await looking('same');
    const second = await looking('same');
    await accepted(owner, first.chat, first.complete());
    expect(await first.end()).toBe('done');
    clock.advance(600_000);
    await bob.action(second.chat, 'chat/toolCallComplete');
    expect(await second.call()).toMatchObject(failed('in time'));
    expect(await first.call()).toMatchObject(RESULT);
  });
});
