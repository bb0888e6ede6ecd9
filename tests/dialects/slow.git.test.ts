import { setImmediate } from 'node:timers/promises';
import type { ClientTransport } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTurn, Scenario, turnEnd, turnsOf } from '../support/legacy/scenario.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';

/** What may wait in a socket before frames queue up in the host (packages/host limits). */
const MAX_BACKLOG = 1024 * 1024;
const WORDS = 3_000;

let agent: GatedAgent;
let scenario: Scenario;
beforeEach(async () => {
  agent = new GatedAgent();
  scenario = new Scenario(await TestHost.start({ agents: [agent] }));
});
afterEach(() => scenario.dispose());

describe.each([1, '0.2.0', '0.3.0', '0.5.0'] as const)('a client of %s that stops reading', (version) => {
  it('gets the same content in fewer messages when it reads again', async () => {
    const native = await scenario.connect('0.4.0');
    const place = await scenario.create(native, 'shared', { provider: 'test', workingDirectory: undefined });
    const slow = await scenario.connect(version);
    const session = version === 1 ? 'test:/shared' : place.session;
    const state = await slow.attach(session);
    const conversation = slow.mergesChats ? session : String(state.defaultChat);
    if (!slow.mergesChats) await slow.attach(conversation);
    const transport = scenario.host.transports.at(-1) as ClientTransport;
    slow.socket?.pause();
    agent.next = async (run) => {
      while (transport.backlog <= MAX_BACKLOG) {
        run.emit({ kind: 'text', text: 'x'.repeat(64 * 1024) });
        await setImmediate();
      }
      for (let count = 0; count < WORDS; count++) {
        run.emit({ kind: 'text', text: 'word ' });
        if (count % 100 === 0) await setImmediate();
      }
      return undefined;
    };
    const turnId = await runTurn(place, 'talk');
    slow.socket?.resume();
    const followed = { client: slow, session, conversation };
    await turnEnd(followed, turnId);
    expect(JSON.stringify(turnsOf(followed)[0])).toContain('word '.repeat(WORDS));
    expect(slow.envelopes.length).toBeLessThan(WORDS / 10);
    const fresh = await scenario.connect(version);
    await fresh.attach(session);
    if (!slow.mergesChats) await fresh.attach(conversation);
    expect(slow.comparable(conversation)).toEqual(fresh.comparable(conversation));
  });
});
