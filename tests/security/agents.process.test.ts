import { acpAgent } from '@moorage/agents/acp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import { chatState, textOf, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  host = await TestHost.start({ agents: () => [acpAgent(scripted())] });
  client = await host.client();
});
afterEach(() => host.dispose()); // fails when anything that was sent breaks the protocol

it('an agent that names other sessions and calls than its own changes nothing there', async () => {
  const victim = await host.session(client, { provider: 'scripted' });
  await turn(client, victim.chat, '/say mine');
  const before = await chatState(client, victim.chat);
  const hostile = await host.session(client, { provider: 'scripted' });
  await turn(client, hostile.chat, '/strangers\n/say done');
  expect(await chatState(client, victim.chat)).toEqual(before);
  const state = await chatState(client, hostile.chat);
  expect(textOf(state.turns.at(-1))).toContain('done');
  expect(JSON.stringify(state)).not.toContain('for somebody else');
});

it('what an agent writes for a terminal or a page stays text, as long as it is', async () => {
  const { session, chat } = await host.session(client, { provider: 'scripted' });
  const evil = '\u001b]0;owned\u0007\u001b[2J<script>alert(1)</script>\u202e';
  await turn(client, chat, `/say ${evil}\n/title ${evil}`);
  expect(textOf((await chatState(client, chat)).turns.at(-1))).toContain(evil); // clients decide how to show it
  const { title } = await client.subscribe<{ title: string }>(session);
  expect(title).not.toContain('\n');
  await turn(client, chat, '/giant\n/say done');
  const giant = await chatState(client, chat);
  expect(textOf(giant.turns.at(-1))).toContain('done');
  await client.sync();
});
