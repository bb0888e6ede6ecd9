import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentTurn } from '@moorage/host';
import { type ChangesetState, changesetUri } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { chatState, startTurn, textOf, turnEnd } from '../support/actions.js';
import { HeldLook } from '../support/held-look.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';

let host: TestHost;
let look: HeldLook;
afterEach(() => host.dispose());

/** A host whose looks at folders last until the test lets them end, with an agent that speaks, waits, and writes a file. */
async function start({ awaitsGoAhead }: { awaitsGoAhead: boolean }) {
  look = new HeldLook();
  const file = () => join(host.workspace, 'made.txt');
  const prompt = async (turn: AgentTurn) => {
    turn.emit({ kind: 'text', text: 'I begin.' });
    await turn.goAhead();
    if (turn.signal.aborted) return undefined;
    const toolCallId = `${turn.turnId}.write`;
    turn.emit({ kind: 'toolCallStart', toolCallId, toolName: 'write', displayName: 'Write' });
    turn.emit({ kind: 'toolCallRunning', toolCallId, invocationMessage: 'Write' });
    writeFileSync(file(), 'made\n');
    turn.emit({ kind: 'toolCallDone', toolCallId, result: { success: true, pastTenseMessage: 'Wrote' } });
    return undefined;
  };
  const agent = { ...testAgent({ prompt }), awaitsGoAhead };
  host = await TestHost.start({ agents: [agent], workspaces: look.workspaces });
  const client = await host.client();
  const { session, chat } = await host.session(client, { provider: 'test' });
  return { agent, client, session, chat, file };
}

describe('while the files are still being looked at', () => {
  it('an agent that waits by itself speaks, and what it changes then is the turn\u2019s', async () => {
    const { client, session, chat, file } = await start({ awaitsGoAhead: true });
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/responsePart');
    expect(existsSync(file())).toBe(false);
    look.release();
    expect((await turnEnd(client, chat, turnId)).type).toBe('chat/turnComplete');
    const changes = changesetUri(session, { kind: 'turn', turnId });
    const { status } = await client.subscribe<ChangesetState>(changes);
    if (status === 'computing') await client.action(changes, 'changeset/contentChanged');
    const { files } = await client.subscribe<ChangesetState>(changes);
    expect(files.map(({ id }) => id)).toEqual([expect.stringMatching(/made\.txt$/)]);
  });

  it('it can be cancelled, and changes nothing', async () => {
    const { client, chat, file } = await start({ awaitsGoAhead: true });
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/responsePart');
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    await turnEnd(client, chat, turnId);
    look.release();
    const next = startTurn(client, chat, 'again');
    await turnEnd(client, chat, next);
    const { turns } = await chatState(client, chat);
    expect(turns.map((turn) => [turn.state, textOf(turn)])).toEqual([
      ['cancelled', 'I begin.'],
      ['complete', 'I begin.'],
    ]);
    expect(existsSync(file())).toBe(true); // the second turn's
  });

  it('any other agent has to wait', async () => {
    const { agent, client, chat } = await start({ awaitsGoAhead: false });
    const turnId = startTurn(client, chat, 'go');
    await client.sync();
    expect(agent.turns).toEqual([]);
    look.release();
    await turnEnd(client, chat, turnId);
    expect(agent.turns).toHaveLength(1);
  });
});
