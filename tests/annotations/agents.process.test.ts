import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acpAgent } from '@moorage/agents/acp';
import { demoAgent } from '@moorage/agents/demo';
import { modelAgent } from '@moorage/agents/model';
import type { AgentProvider } from '@moorage/host';
import { type AnnotationsState, anchorOf, type Message } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import { accepted, chatState, PATIENT, textOf, turnEnd } from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
let channel: string;
afterEach(() => host.dispose());

const LINES = ['alpha(one);', 'beta(two);', 'const s = "```";', 'gamma(three);', 'delta(four);'];

/** A session with a file and two comments on it, the second of them resolved. */
async function start(agent: () => AgentProvider, provider: string): Promise<void> {
  host = await TestHost.start({ agents: () => [agent()] });
  writeFileSync(join(host.workspace, 'code.ts'), LINES.map((line) => `${line}\n`).join(''));
  client = await host.client();
  ({ session, chat } = await host.session(client, { provider }));
  channel = `${session}/annotations`;
  await client.subscribe(channel);
  const range = { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } };
  const resource = `${host.workspaceUri}/code.ts`;
  const entries = [
    { id: '1', text: 'Is this needed?' },
    { id: '2', text: { markdown: 'I think **not**.' } },
  ];
  const annotation = { id: 'a', origin: { session, turnId: 't' }, resource, range, resolved: false, entries };
  await accepted(client, channel, { type: 'annotations/set', annotation });
  const other = {
    id: 'b',
    origin: { session, turnId: 't' },
    resource,
    resolved: false,
    entries: [{ id: '1', text: 'The whole file' }],
  };
  await accepted(client, channel, { type: 'annotations/set', annotation: other });
  await accepted(client, channel, { type: 'annotations/updated', annotationId: 'b', resolved: true });
  const followed = async () => (await client.subscribe<AnnotationsState>(channel)).annotations.map(anchorOf);
  await expect.poll(followed, PATIENT).toMatchObject([{ state: 'here' }, { state: 'here' }]);
}

const attached = (more: object = {}) => ({ type: 'annotations', label: 'Comments', resource: channel, ...more });

async function send(text: string, attachments: object[], turnId: string = crypto.randomUUID()): Promise<string> {
  const message = { text, origin: { kind: 'user' }, attachments };
  await accepted(client, chat, { type: 'chat/turnStarted', startedAt: '2026-01-01T00:00:00.000Z', turnId, message });
  await turnEnd(client, chat, turnId);
  return textOf((await chatState(client, chat)).turns.at(-1));
}

const FIRST = `1. code.ts, lines 2 to 3
\`\`\`\`
beta(two);
const s = "\`\`\`";
\`\`\`\`
- Is this needed?
- I think **not**.`;

describe('comments that are attached to a message', () => {
  it('reach an agent as text: where, the code, the thread; the message itself stays as it is', async () => {
    const agent = testAgent();
    await start(() => agent, 'test');
    await send('see to it', [attached()], 'first');
    const [all] = agent.turns.at(-1)?.message.attachments ?? [];
    expect(all).toEqual({
      type: 'simple',
      label: 'Comments',
      modelRepresentation: `2 comments on the code:\n\n${FIRST}\n\n2. code.ts (resolved)\n- The whole file`,
      _meta: { 'moorage.comments': true },
    });
    expect((await chatState(client, chat)).turns[0]?.message.attachments).toEqual([attached()]);
  });

  it('say where the lines are now, and when they are gone', async () => {
    const agent = testAgent();
    await start(() => agent, 'test');
    const told = async () => {
      await send('again', [attached({ annotationIds: ['a'] })]);
      const [attachment] = agent.turns.at(-1)?.message.attachments ?? [];
      return attachment?.type === 'simple' ? attachment.modelRepresentation : undefined;
    };
    expect(await told()).toBe(`One comment on the code:\n\n${FIRST}`);
    const file = join(host.workspace, 'code.ts');
    writeFileSync(file, ['// new', ...LINES].map((line) => `${line}\n`).join(''));
    expect(await told()).toContain('1. code.ts, lines 2 to 3\nNow: lines 3 to 4.\n');
    writeFileSync(file, 'nothing of it\n');
    expect(await told()).toContain('have changed or are gone');
    expect(await told()).toContain('beta(two);');
  });

  it('must be of the session, and there', async () => {
    const agent = testAgent();
    await start(() => agent, 'test');
    const elsewhere = { resource: `${host.newSessionUri()}/annotations` };
    await send('x', [attached(elsewhere), attached({ annotationIds: ['gone'] })]);
    const texts = agent.turns
      .at(-1)
      ?.message.attachments?.map((one) => 'modelRepresentation' in one && one.modelRepresentation);
    expect(texts).toEqual([expect.stringContaining('another session'), expect.stringContaining('no longer exist')]);
  });

  it('come with steering, and with what was said before a restart', async () => {
    const steered: (Message | undefined)[] = [];
    const agents = [0, 1].map(() =>
      testAgent({
        prompt: async (turn) => {
          if (turn.message.text !== 'wait') return undefined;
          await expect.poll(() => steered[steered.push(turn.takeSteering()) - 1], PATIENT).toBeDefined();
          return undefined;
        },
      }),
    );
    let life = 0;
    await start(() => agents[life++] as AgentProvider, 'test');
    const message = { text: 'this too', origin: { kind: 'user' }, attachments: [attached({ annotationIds: ['a'] })] };
    const waiting = send('wait', []);
    await accepted(client, chat, { type: 'chat/pendingMessageSet', kind: 'steering', id: 's', message });
    await waiting;
    expect(steered.at(-1)?.attachments).toMatchObject([
      { type: 'simple', modelRepresentation: expect.stringContaining(FIRST) },
    ]);
    await send('see', [attached({ annotationIds: ['a'] })]);
    await host.restart();
    client = await host.client();
    await client.subscribe(chat);
    await send('go on', []);
    const history = agents[1]?.opened[0]?.history ?? [];
    expect(history.at(-1)?.message.attachments).toMatchObject([
      { type: 'simple', modelRepresentation: expect.stringContaining(FIRST) },
    ]);
  });

  it.each(['none', 'process'] as const)('are acknowledged by the demo agent (isolation: %s)', async (isolation) => {
    await start(() => demoAgent({ isolation }), 'demo');
    const said = await send('/say done', [attached({ annotationIds: ['a'] })]);
    expect(said).toContain('I read what is attached.');
    expect(said).toContain(FIRST);
    expect(said).toContain('done');
  });

  it('are read by an ACP agent', async () => {
    await start(() => acpAgent(scripted()), 'scripted');
    expect(await send('/recall', [attached()])).toContain(FIRST);
  });

  it('are read by a model', async () => {
    const model = await FakeModel.start();
    try {
      const { baseURL } = model;
      const options = { id: 'model', api: 'openai', baseURL, apiKey: 'k', models: ['small'] } as const;
      await start(() => modelAgent(options as never), 'model');
      model.queue({ text: ['Done.'] });
      await send('see to it', [attached()]);
      expect(model.requests[0]?.messages[0]?.text).toContain(FIRST);
    } finally {
      await model.close();
    }
  });
});
