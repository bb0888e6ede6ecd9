import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { acpAgent } from '@moorage/agents/acp';
import { modelAgent } from '@moorage/agents/model';
import type { SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import { accepted, chatState, PATIENT, textOf, turn, turnEnd } from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let model: FakeModel;
let host: TestHost;
let home: string;
let alice: WireClient;
let bob: WireClient;
let session: string;
let chat: string;

beforeEach(async () => {
  model = await FakeModel.start();
  home = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-home-')));
  const { baseURL } = model;
  const agents = () => [
    modelAgent({ id: 'model', api: 'openai', baseURL, apiKey: 'k', models: ['m'] }),
    acpAgent(scripted()),
  ];
  host = await TestHost.start({ agents, customizations: { userHome: home, plugins: [join(home, 'plugin')] } });
  alice = await host.client({ clientId: 'alice' });
  bob = await host.client();
});
afterEach(async () => {
  await host.dispose();
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string, base = host.workspace): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}
async function begin(params: object = {}): Promise<void> {
  ({ session, chat } = await host.session(alice, { provider: 'model', ...params }));
}
const uriOf = (path: string) => pathToFileURL(join(host.workspace, path)).href;
const last = () => {
  const request = model.requests.at(-1);
  if (!request) throw new Error('the model was not asked');
  return request;
};
async function idOf(path: string): Promise<string> {
  const find = async () => {
    const { customizations = [] } = await bob.subscribe<SessionState>(session);
    return customizations.find(({ uri }) => uri === uriOf(path))?.id;
  };
  await expect.poll(find, PATIENT).toBeDefined();
  return (await find()) ?? '';
}

describe('rules', () => {
  it('for every message are told at once, of the workspace and the user, and not when switched off', async () => {
    put('AGENTS.md', 'Use tabs here.');
    put('.claude/rules/more.md', 'Write tests.');
    put('.claude/CLAUDE.md', 'Call me Bo.', home);
    await begin();
    await turn(alice, chat, 'hi');
    for (const text of ['Use tabs here.', 'Write tests.', 'Call me Bo.']) expect(last().system).toContain(text);
    const id = await idOf('.claude/rules');
    await accepted(bob, session, {
      type: 'session/customizationToggled',
      id,
      enablement: [{ kind: 'session', enabled: false }],
    });
    put('AGENTS.md', 'Use spaces now.');
    await turn(alice, chat, 'again');
    expect(last().system).toContain('Use spaces now.');
    expect(last().system).not.toContain('Write tests.');
  });

  it('for some files are told when such a file is used, by a call or as an attachment', async () => {
    put('.github/instructions/ts.instructions.md', '---\napplyTo: "src/**/*.ts"\n---\nNo any in TypeScript.');
    put('src/deep/a.ts', 'const a = 1;');
    put('b.txt', 'text');
    await begin();
    model.queue({ calls: [{ name: 'read', input: { path: 'b.txt' } }] });
    model.queue({ calls: [{ name: 'read', input: { path: 'src/deep/a.ts' } }] }, { text: ['Done.'] });
    await turn(alice, chat, 'look');
    const told = model.requests.map(({ system }) => system.includes('No any in TypeScript.'));
    expect(told).toEqual([false, false, true]);
    await turn(alice, chat, 'something else');
    expect(last().system).not.toContain('No any');
  });
});

describe('skills', () => {
  const SKILL = '---\nname: deploy\ndescription: Puts it online\n---\nRun the script.';

  it('are listed, and read when the model wants one, with the files beside them', async () => {
    put('.claude/skills/deploy/SKILL.md', SKILL);
    put('.claude/skills/deploy/notes/more.md', 'More about it.');
    put('secret.txt', 'not of the skill');
    put('.claude/skills/own/SKILL.md', '---\nname: mine\ndisable-model-invocation: true\n---\nOnly I say so.');
    await begin();
    model.queue({
      calls: [
        { name: 'skill', input: { name: 'deploy' } },
        { name: 'skill', input: { name: 'deploy', file: 'notes/more.md' } },
        { name: 'skill', input: { name: 'deploy', file: '../../../secret.txt' } },
        { name: 'skill', input: { name: 'mine' } },
      ],
    });
    await turn(alice, chat, 'deploy it');
    const [first] = model.requests;
    expect(first?.system).toContain('- deploy: Puts it online');
    expect(first?.system).not.toContain('mine');
    expect(first?.tools).toContain('skill');
    const [text, file, outside, hidden] = last().results;
    expect(text).toBe('Run the script.');
    expect(file).toBe('More about it.');
    expect(outside).toContain('not a path in the folder');
    expect(hidden).toContain('There is no skill mine');
    await turn(alice, chat, '/mine with care');
    expect(last().messages.at(-1)?.text).toBe('Only I say so.\n\nwith care');
  });

  it('that are switched off are not there', async () => {
    put('.claude/skills/deploy/SKILL.md', SKILL);
    await begin();
    const id = await idOf('.claude/skills');
    await accepted(alice, session, {
      type: 'session/customizationToggled',
      id,
      enablement: [{ kind: 'session', enabled: false }],
    });
    await turn(alice, chat, 'hi');
    expect(last().system).not.toContain('deploy');
    expect(last().tools).not.toContain('skill');
  });
});

it('prompts are expanded from their names; the chat shows what the user wrote', async () => {
  put('.github/prompts/review.prompt.md', '---\ndescription: R\n---\nReview $1 for $ARGUMENTS.');
  await begin();
  await turn(alice, chat, '/review a.ts slowly');
  expect(last().messages.at(-1)?.text).toBe('Review a.ts for a.ts slowly.');
  expect((await chatState(alice, chat)).turns.at(-1)?.message.text).toBe('/review a.ts slowly');
  await turn(alice, chat, '/unknown thing');
  expect(last().messages.at(-1)?.text).toBe('/unknown thing');
});

it('prompts and skills that are switched on are offered as they are written, and do what they say', async () => {
  put('.github/prompts/review.prompt.md', '---\ndescription: Looks closely\n---\nReview $ARGUMENTS.');
  put('.agents/skills/release/SKILL.md', '---\nname: release\ndescription: Ships it\n---\nx');
  put('.agents/skills/odd/SKILL.md', '---\nname: two words\n---\nx');
  put('plugin/plugin.json', '{"name":"extra"}', home);
  put('plugin/commands/review.md', 'Another $ARGUMENTS.', home);
  await begin();
  const offered = async (text: string, channel = chat) => {
    const params = { channel, kind: 'userMessage', text, offset: text.length } as const;
    return (await bob.request('completions', params)).items;
  };
  const names = async (text: string, channel = chat) =>
    (await offered(text, channel)).map(({ insertText }) => insertText).sort();
  await expect.poll(() => names('/re'), PATIENT).toEqual(['/extra:review ', '/release ', '/review ']);
  const [item] = await offered('/rev');
  expect(item).toMatchObject({
    insertText: '/review ',
    rangeStart: 0,
    rangeEnd: 4,
    attachment: { type: 'simple', displayKind: 'prompt', _meta: { 'moorage.description': 'Looks closely' } },
  });
  expect((await offered('/rel'))[0]?.attachment.displayKind).toBe('skill');
  expect(await names('/two')).toEqual([]);
  expect(await names('not /rev')).toEqual([]);

  await accepted(alice, chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId: 'reviews',
    message: { text: '/review a.ts', origin: { kind: 'user' }, attachments: item ? [item.attachment] : [] },
  });
  await turnEnd(alice, chat, 'reviews');
  expect(last().messages.at(-1)?.text).toBe('Review a.ts.');

  const id = await idOf('.github/prompts');
  await accepted(bob, session, {
    type: 'session/customizationToggled',
    id,
    enablement: [{ kind: 'session', enabled: false }],
  });
  expect(await names('/re')).toEqual(['/release ', '/review ']); // that of the plugin has the name to itself
  expect((await offered('/rev'))[0]?.attachment._meta).not.toHaveProperty(['moorage.description']);
  rmSync(join(host.workspace, '.agents'), { recursive: true });
  await expect.poll(() => names('/re'), PATIENT).toEqual(['/review ']);

  const other = await host.session(alice, { provider: 'scripted' });
  expect(await names('/re', other.chat)).toEqual([]); // this agent looks for its own
});

it('a custom agent gives its role and takes away tools; one that is gone is left out with a note', async () => {
  put('.claude/agents/critic.md', '---\nname: critic\ntools: Read, Grep\n---\nYou find faults.');
  const draft = { ...userMessage(''), agent: { uri: uriOf('.claude/agents/critic.md') } };
  await begin({ _meta: { 'moorage.draft': draft } });
  await turn(alice, chat, 'look');
  expect(last().system).toContain('You find faults.');
  expect([...last().tools].sort()).toEqual(['ask_user', 'grep', 'list', 'read', 'set_title']);
  rmSync(join(host.workspace, '.claude'), { recursive: true });
  const gone = async () => {
    const { customizations = [] } = await bob.subscribe<SessionState>(session);
    return customizations.some(({ uri }) => uri === uriOf('.claude/agents'));
  };
  await expect.poll(gone, PATIENT).toBe(false);
  await turn(alice, chat, 'again');
  expect(last().tools).toContain('write');
  const shown = (await chatState(alice, chat)).turns.at(-1)?.responseParts;
  expect(JSON.stringify(shown)).toContain('not available any more');
});

it('plugins of the active client reach the model as long as it is there', async () => {
  await begin();
  const files: Record<string, string> = { 'rules/r.md': 'Be kind.', 'skills/s/SKILL.md': '---\nname: s\n---\nDo s.' };
  const entries: Record<string, object[]> = {
    '': [
      { name: 'rules', type: 'directory' },
      { name: 'skills', type: 'directory' },
    ],
    rules: [{ name: 'r.md', type: 'file' }],
    skills: [{ name: 's', type: 'directory' }],
    'skills/s': [{ name: 'SKILL.md', type: 'file' }],
  };
  const pathOf = (uri: string) => uri.slice('virtual://alice/p'.length).replace(/^\//, '');
  alice.serves.set('resourceList', ({ uri }: { uri: string }) => ({ entries: entries[pathOf(uri)] ?? [] }));
  alice.serves.set('resourceRead', ({ uri }: { uri: string }) => ({
    data: files[pathOf(uri)] ?? '',
    encoding: 'utf-8',
  }));
  const plugin = { id: 'p', type: 'plugin', uri: 'virtual://alice/p', name: 'P', enabled: true };
  const activeClient = { clientId: 'alice', tools: [], customizations: [plugin] };
  await accepted(alice, session, { type: 'session/activeClientSet', activeClient });
  model.queue({ calls: [{ name: 'skill', input: { name: 's' } }] });
  await turn(alice, chat, 'hi');
  expect(last().system).toContain('<instructions from="P: r">\nBe kind.');
  expect(last().results).toEqual(['Do s.']);
  await accepted(alice, session, { type: 'session/activeClientRemoved', clientId: alice.clientId });
  await turn(alice, chat, 'hi again');
  expect(last().system).not.toContain('Be kind.');
});

it('agents that look by themselves are told once of rules that they cannot find', async () => {
  put('AGENTS.md', 'They find this.');
  put('plugin/rules/r.md', 'They do not find this.', home);
  await begin({ provider: 'scripted' });
  await turn(alice, chat, 'first');
  await turn(alice, chat, '/recall');
  const said = textOf((await chatState(alice, chat)).turns.at(-1));
  expect(said.match(/They do not find this\./g)).toHaveLength(1);
  expect(said).not.toContain('They find this.');
  put('plugin/rules/r.md', 'It is another rule now.', home);
  await turn(alice, chat, '/recall');
  expect(textOf((await chatState(alice, chat)).turns.at(-1))).toContain('It is another rule now.');
});
