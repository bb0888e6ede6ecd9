import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputOutcome } from '@moorage/host';
import type { ChatInputRequest } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTurn } from '../support/actions.js';
import { CliWorld } from '../support/cli.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const OPTIONS = ['red', 'blue'].map((id) => ({ id, label: id }));
const COLOUR: ChatInputRequest = {
  id: 'colour',
  message: 'About the paint',
  questions: [{ id: 'q', kind: 'single-select', message: 'Which colour?', options: OPTIONS, allowFreeformInput: true }],
};
const LOGIN: ChatInputRequest = { id: 'login', message: 'Log in there?', url: 'https://login.example/x' };
const TEAL = { q: { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: ['teal'] } } };

let world: CliWorld;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
let requests: ChatInputRequest[];
let outcomes: InputOutcome[];
let where: string[];
beforeEach(async () => {
  requests = [];
  outcomes = [];
  const agent = new GatedAgent();
  agent.next = async (run) => {
    for (const request of requests) outcomes.push(await run.ask(request));
    return undefined;
  };
  host = await TestHost.start({ agents: [agent] });
  client = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'test' }));
  world = new CliWorld();
  writeFileSync(join(world.folder, 'token'), 'test-token-0123456789');
  where = ['--host', host.url, '--token-file', join(world.folder, 'token')];
});
afterEach(async () => {
  await world.end();
  await host.dispose();
});

async function asked(...all: ChatInputRequest[]): Promise<void> {
  requests = all;
  startTurn(client, chat, 'ask me');
  await client.action(chat, 'chat/inputRequested');
}

const answer = (...words: string[]) => world.moorage('answer', session, ...words, ...where);

it('takes yes or no where there is nothing to fill in, and nothing else', async () => {
  await asked(LOGIN, { ...LOGIN, id: 'again' });
  for (const words of [[], ['maybe'], ['yes', 'yes']]) {
    const refused = await answer(...words);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('expected yes or no') });
    expect(refused.err).toContain('https://login.example/x');
  }
  expect(await answer('no', '--decline')).toMatchObject({ code: 2 });
  expect(await answer('no')).toMatchObject({ code: 0, out: 'declined\n' });
  await client.action(chat, 'chat/inputRequested');
  expect(await answer('YES')).toMatchObject({ code: 0, out: 'answered\n' });
  await client.action(chat, 'chat/turnComplete');
  expect(outcomes).toMatchObject([{ response: 'decline' }, { response: 'accept' }]);
});

it('takes an answer that is none of the options where that is allowed', async () => {
  await asked(COLOUR);
  expect(await answer('teal')).toMatchObject({ code: 0, err: '' });
  await client.action(chat, 'chat/turnComplete');
  expect(outcomes).toMatchObject([{ response: 'accept', answers: TEAL }]);
});

it('shows what was asked and answered in the log and the export', async () => {
  await asked(LOGIN, COLOUR);
  const log = async () => (await world.moorage('log', session, ...where)).out;
  expect(await log()).toContain('- **Question**: Log in there? https://login.example/x (not answered)\n');
  await answer('no');
  await client.action(chat, 'chat/inputRequested');
  await answer('teal');
  await client.action(chat, 'chat/turnComplete');
  const exported = (await world.moorage('export', session, ...where)).out;
  for (const text of [await log(), exported]) {
    expect(text).toContain('- **Question**: Log in there? https://login.example/x (declined)\n');
    expect(text).toContain('- **Question**: About the paint (answered)\n  - Which colour?: teal\n');
  }
});

it('asks for the same in a terminal', async () => {
  requests = [LOGIN, COLOUR];
  const terminal = world.terminal('send', session, '--wait', 'ask me', ...where);
  await terminal.sees('Log in there?');
  await terminal.sees('https://login.example/x');
  await terminal.sees('[y/n]');
  terminal.type('perhaps\r');
  await terminal.sees('expected yes or no');
  await terminal.sees('[y/n]');
  terminal.type('n\r');
  await terminal.sees('(declined)');
  await terminal.sees('About the paint');
  await terminal.sees('Which colour?');
  await terminal.sees('or your own');
  terminal.type('teal\r');
  await terminal.sees('Which colour?: teal');
  expect(await terminal.ended()).toBe(0);
  expect(outcomes).toMatchObject([{ response: 'decline' }, { response: 'accept', answers: TEAL }]);
});
