import { setImmediate } from 'node:timers/promises';
import type { AgentTurn, ClientTransport } from '@moorage/host';
import { type ChatState, reduceAll } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatState, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

/** What may wait in a socket before frames queue up in the host, and what may queue there (packages/host limits). */
const MAX_BACKLOG = 1024 * 1024;
const MAX_QUEUED = 8 * 1024 * 1024;
const PIECE = 'x'.repeat(64 * 1024);
/** Too long to become one action with the next one, however quickly that comes. */
const WORDS = 'word '.repeat(5 * 1024);

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let chat: string;
let slow: WireClient;
let transport: ClientTransport;
let start: { state: ChatState; fromSeq: number };
beforeEach(async () => {
  agent = new GatedAgent();
  // A close waits behind what was sent before; here it may take as long as it needs.
  host = await TestHost.start({ agents: [agent], limits: { closeGraceMs: 60_000 } });
  client = await host.client();
  ({ chat } = await host.session(client, { provider: 'test' }));
  slow = await host.client();
  transport = host.transports.at(-1) as ClientTransport;
  start = await slow.snapshot<ChatState>(chat);
  slow.socket.pause();
});
afterEach(() => host.dispose());

/** Speaks until the client that does not read has all that the network takes. */
async function fillNetwork(run: AgentTurn): Promise<void> {
  while (transport.backlog <= MAX_BACKLOG) {
    run.emit({ kind: 'text', text: PIECE });
    await setImmediate();
  }
}

async function speak(run: AgentTurn, text: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    run.emit({ kind: 'text', text });
    if (count % 100 === 0) await setImmediate();
  }
}

const folded = () => reduceAll('chat', start.state, slow.actionsOn(chat) as never, { now: () => 0 });

function expectRising(from: WireClient): void {
  const seqs = from.envelopes.map((envelope) => envelope.serverSeq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
}

describe('a client that stops reading', () => {
  it('keeps nobody else waiting, and gets the same content in fewer messages when it reads again', async () => {
    const pieces = 100;
    agent.next = async (run) => {
      await fillNetwork(run);
      await speak(run, WORDS, pieces);
      run.emit({ kind: 'reasoning', text: 'hm' });
      await speak(run, 'more ', 100);
      return undefined;
    };
    const turnId = startTurn(client, chat, 'talk');
    await turnEnd(client, chat, turnId);
    const answered = slow.sync();
    await client.sync();
    slow.socket.resume();
    await turnEnd(slow, chat, turnId);
    await answered; // in order behind all that was said before
    const final = await chatState(client, chat);
    expect(folded().turns).toEqual(final.turns);
    expect(textOf(final.turns[0])).toContain(`${WORDS.repeat(pieces)}more more `);
    expect(slow.envelopes.length).toBeLessThan(client.actionsOn(chat).length - pieces * 0.9);
    expectRising(slow);
    expect(slow.envelopes.at(-1)?.serverSeq).toBe(
      client.envelopes.findLast((envelope) => envelope.channel === chat)?.serverSeq,
    );
  });

  it('gets the input of a tool call in fewer messages too, and that of another call by itself', async () => {
    const pieces = 50;
    agent.next = async (run) => {
      await fillNetwork(run);
      for (const toolCallId of ['one', 'two']) {
        run.emit({ kind: 'toolCallStart', toolCallId, toolName: 'write', displayName: 'Write' });
        run.emit({ kind: 'toolCallInput', toolCallId, text: '', progress: `Writing ${toolCallId}` });
        for (let count = 0; count < pieces; count++) run.emit({ kind: 'toolCallInput', toolCallId, text: WORDS });
      }
      run.emit({ kind: 'toolCallInput', toolCallId: 'one', text: 'last' });
      await finished;
      return undefined;
    };
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const turnId = startTurn(client, chat, 'write');
    await client.envelope(({ action }) => action.type === 'chat/toolCallDelta' && action.content === 'last');
    slow.socket.resume();
    await slow.sync();
    const { activeTurn } = await chatState(client, chat);
    expect(folded().activeTurn).toEqual(activeTurn);
    expect(JSON.stringify(activeTurn)).toContain('Writing two');
    expect(slow.actionsOn(chat).length).toBeLessThan(client.actionsOn(chat).length - pieces);
    finish();
    await turnEnd(client, chat, turnId);
  });

  it('for too long is closed with 1013, and comes back to the same state (OQ-104)', async () => {
    agent.next = async (run) => {
      await fillNetwork(run);
      await speak(run, PIECE, (2 * MAX_QUEUED) / PIECE.length);
      return undefined;
    };
    const turnId = startTurn(client, chat, 'talk');
    await turnEnd(client, chat, turnId);
    slow.socket.resume();
    expect((await slow.closed).code).toBe(1013);
    expectRising(slow);
    const { client: back, result } = await host.reconnect(slow, [chat]);
    if (result.type !== 'snapshot') throw new Error('16 MiB are too much for a replay');
    const seen = result.snapshots[0]?.state as ChatState | undefined;
    expect(seen?.turns).toEqual((await chatState(client, chat)).turns);
    agent.next = async () => undefined;
    await turn(client, chat, 'again');
    await back.action(chat, 'chat/turnComplete');
  });
});
