import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Customization, SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, PATIENT, reasonFor } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

type Container = Exclude<Customization, { type: 'mcpServer' }>;

let host: TestHost;
let home: string;
let alice: WireClient;
let bob: WireClient;
let session: string;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-home-')));
  host = await TestHost.start({ customizations: { userHome: home, plugins: [join(home, 'configured')] } });
  alice = await host.client();
  bob = await host.client();
});
afterEach(async () => {
  await host.dispose();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string, base = host.workspace): string {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}\n${more}---\nHow to ${name}.\n`;
const uriOf = (path: string, base = host.workspace) => pathToFileURL(join(base, path)).href;

async function begin(): Promise<void> {
  ({ session } = await host.session(alice));
  await bob.subscribe(session);
}
async function entries(client = bob): Promise<Container[]> {
  const { customizations = [] } = await client.subscribe<SessionState>(session);
  return customizations.filter((entry): entry is Container => entry.type !== 'mcpServer');
}
/** The entry of a folder, once it is as the test wants it. */
function entry(path: string, matches: (found: Container) => boolean = () => true, base = host.workspace) {
  return named(uriOf(path, base), matches);
}
async function named(uri: string, matches: (found: Container) => boolean = () => true): Promise<Container> {
  const find = async () => (await entries()).find((one) => one.uri === uri && matches(one));
  await expect.poll(find, PATIENT).toBeDefined();
  return (await find()) as Container;
}
const names = (found: Container) => found.children?.map(({ name }) => name);
const has = (name: string) => (found: Container) => names(found)?.includes(name) ?? false;

describe('customizations of the workspace and the user', () => {
  it('are found where the common tools keep them, and shown to every client (B-223, B-231, B-236, V-32)', async () => {
    put('AGENTS.md', '# Rules\nUse tabs.');
    put('.github/copilot-instructions.md', 'Be brief.');
    put('.github/instructions/ts.instructions.md', '---\napplyTo: "**/*.ts, **/*.{tsx,jsx}"\n---\nNo any.');
    put(
      '.cursor/rules/css.mdc',
      '---\ndescription: Styles\nglobs: *.css,*.scss\nalwaysApply: false\n---\nUse variables.',
    );
    put('.claude/rules/all.md', 'For all.');
    put('.claude/skills/deploy/SKILL.md', skill('deploy', 'disable-model-invocation: true\n'));
    put('.agents/skills/test/SKILL.md', skill('test'));
    put('.github/prompts/review.prompt.md', '---\ndescription: Reviews\n---\nReview $ARGUMENTS');
    put('.claude/commands/git/commit.md', 'Commit it.');
    put(
      '.claude/agents/critic.md',
      '---\nname: critic\ndescription: Finds faults\ntools: Read, Grep\n---\nFind faults.',
    );
    put(
      '.claude/settings.json',
      '{\n  "hooks": {\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "rm -rf /secret" }] }]\n  }\n}',
    );
    put('.claude/CLAUDE.md', 'I am the user.', home);
    put('.claude/skills/mine/SKILL.md', skill('mine'), home);
    await begin();

    const root = await named(pathToFileURL(host.workspace).href);
    expect(root).toMatchObject({ type: 'directory', contents: 'rule', enabled: true, load: { kind: 'loaded' } });
    expect(root.children).toMatchObject([
      { type: 'rule', name: '.github/copilot-instructions.md', alwaysApply: true },
      { type: 'rule', name: 'AGENTS.md', uri: uriOf('AGENTS.md'), alwaysApply: true },
    ]);
    const one = async (path: string, base?: string) => (await entry(path, undefined, base)).children;
    expect(await one('.github/instructions')).toMatchObject([
      { type: 'rule', name: 'ts', alwaysApply: false, globs: ['**/*.ts', '**/*.{tsx,jsx}'] },
    ]);
    expect(await one('.cursor/rules')).toMatchObject([
      { name: 'css', description: 'Styles', alwaysApply: false, globs: ['*.css', '*.scss'] },
    ]);
    expect(await one('.claude/rules')).toMatchObject([{ name: 'all', alwaysApply: true }]);
    expect(await one('.claude/skills')).toMatchObject([
      { type: 'skill', name: 'deploy', description: 'Does deploy', disableModelInvocation: true },
    ]);
    expect(await one('.agents/skills')).toMatchObject([{ name: 'test', uri: uriOf('.agents/skills/test/SKILL.md') }]);
    expect(await one('.github/prompts')).toMatchObject([{ type: 'prompt', name: 'review', description: 'Reviews' }]);
    expect(await one('.claude/commands')).toMatchObject([{ type: 'prompt', name: 'git:commit' }]);
    expect(await one('.claude/agents')).toMatchObject([{ type: 'agent', name: 'critic', description: 'Finds faults' }]);
    expect(await one('.claude')).toMatchObject([
      { type: 'hook', name: 'PreToolUse (Bash)', uri: uriOf('.claude/settings.json'), range: { start: { line: 2 } } },
    ]);
    expect(await one('.claude/skills', home)).toMatchObject([{ name: 'mine' }]);
    const user = (await entries()).filter(({ uri }) => uri === uriOf('.claude', home));
    expect(user).toMatchObject([{ contents: 'rule', children: [{ name: 'CLAUDE.md' }], writable: false }]);
    expect(await entries(alice)).toEqual(await entries(bob));
  });

  it('are declared where something can be saved, also before there is anything (B-226, B-231)', async () => {
    await begin();
    const found = await entry('.agents/skills');
    expect(found).toMatchObject({ type: 'directory', contents: 'skill', writable: true, children: [] });
    const offered = ['', '.github/instructions', '.agents/skills', '.github/prompts', '.github/agents'];
    const uris = offered.map((path) => (path === '' ? pathToFileURL(host.workspace).href : uriOf(path)));
    const shown = (await entries()).filter(({ type }) => type === 'directory').map(({ uri }) => uri);
    expect(shown).toEqual(uris);
  });

  it('never show what would be run (B-235)', async () => {
    const command = 'rm -rf /secret';
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
    put('.claude/settings.json', JSON.stringify({ hooks }));
    put('.github/hooks/one.json', JSON.stringify({ version: 1, hooks: { sessionStart: [{ bash: command }] } }));
    put('configured/plugin.json', JSON.stringify({ name: 'p' }), home);
    put('configured/hooks/hooks.json', JSON.stringify({ hooks }), home);
    const env = { KEY: 'secret-key' };
    put(
      'configured/.mcp.json',
      JSON.stringify({ mcpServers: { db: { command: 'secret-db', args: [command], env } } }),
      home,
    );
    await begin();
    await entry('.github/hooks', has('sessionStart'));
    const plugin = await entry('configured', undefined, home);
    expect(plugin.children?.map(({ type }) => type).sort()).toEqual(['hook', 'mcpServer']);
    const everything = JSON.stringify([bob.envelopes, await entries()]);
    expect(everything).not.toContain('secret');
  });

  it('that are broken do not fail the others (B-227)', async () => {
    put('.claude/skills/good/SKILL.md', skill('good'));
    put('.claude/skills/bad/SKILL.md', '---\nname: "unclosed\n---\nx');
    put('.claude/skills/bombed/SKILL.md', `---\na: &a [x]\nb: [${'*a,'.repeat(100)}]\n---\nx`);
    writeFileSync(put('.claude/skills/binary/SKILL.md', ''), Buffer.from([0xff, 0xfe, 0x00]));
    put('.claude/skills/huge/SKILL.md', 'x'.repeat(300_000));
    put('.claude/skills/no-skill/README.md', 'nothing');
    put('.github/hooks/broken.json', '{');
    await begin();
    const found = await entry('.claude/skills');
    expect(names(found)).toEqual(['bombed', 'good']); // read as lines, without what the bomb stands for
    expect(found.load).toMatchObject({ kind: 'degraded', message: expect.stringContaining('bad/SKILL.md') });
    const message = found.load?.kind === 'degraded' ? found.load.message : '';
    for (const folder of ['binary', 'huge']) expect(message).toContain(folder);
    expect(message).not.toContain(host.workspace);
    expect((await entry('.github/hooks')).load).toMatchObject({ kind: 'degraded' });
    put('.claude/skills/bad/SKILL.md', skill('repaired'));
    await entry('.claude/skills', has('repaired'));
  });

  it('are not followed out of the folder by links', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-outside-')));
    put('stolen/SKILL.md', skill('stolen'), outside);
    put('rule.md', 'stolen', outside);
    put('.claude/skills/own/SKILL.md', skill('own'));
    symlinkSync(join(outside, 'stolen'), join(host.workspace, '.claude/skills/stolen'));
    symlinkSync(outside, join(host.workspace, '.claude/rules'));
    symlinkSync(join(outside, 'rule.md'), join(host.workspace, 'CLAUDE.md'));
    symlinkSync(join(host.workspace, '.claude/skills/own'), join(host.workspace, '.claude/skills/alias'));
    await begin();
    const found = await entry('.claude/skills');
    expect(names(found)).toEqual(['own', 'own']); // a link within the folder is fine
    expect(found.load).toMatchObject({ kind: 'degraded', message: expect.stringContaining('leads out') });
    expect(await entry('.claude/rules')).toMatchObject({ children: [], load: { kind: 'degraded' } });
    expect((await named(pathToFileURL(host.workspace).href)).load).toMatchObject({ kind: 'degraded' });
    expect(JSON.stringify(await entries())).not.toContain('stolen"');
    rmSync(outside, { recursive: true });
  });

  it('may be a thousand, and come in one action', async () => {
    for (let index = 0; index < 1_000; index++) put(`.claude/skills/s${index}/SKILL.md`, skill(`s${index}`));
    await begin();
    const found = await entry('.claude/skills');
    expect(found.children).toHaveLength(1_000);
    const updates = bob.actionsOn(session).filter((action) => action.type === 'session/customizationUpdated');
    expect(updates.filter(({ customization }) => customization.uri === found.uri).length).toBeLessThan(2);
  });
});

describe('changes', () => {
  it('are seen as they happen, in folders that come and go, by one action for each entry', async () => {
    await begin();
    await entry('.agents/skills');
    put('.agents/skills/late/SKILL.md', skill('late'));
    await entry('.agents/skills', has('late'));
    put('.claude/commands/deep/er/cmd.md', 'x');
    await entry('.claude/commands', has('deep:er:cmd'));
    put('AGENTS.md', 'x');
    await named(pathToFileURL(host.workspace).href, has('AGENTS.md'));
    put('.claude/skills/user/SKILL.md', skill('user'), home);
    await entry('.claude/skills', has('user'), home);
    put('.agents/skills/late/SKILL.md', skill('renamed'));
    await entry('.agents/skills', has('renamed'));
    rmSync(join(host.workspace, '.claude'), { recursive: true });
    await expect
      .poll(async () => (await entries()).some(({ uri }) => uri === uriOf('.claude/commands')), PATIENT)
      .toBe(false);
    rmSync(join(host.workspace, '.agents'), { recursive: true });
    await entry('.agents/skills', ({ children }) => children?.length === 0);
    const types = new Set(bob.actionsOn(session).map(({ type }) => type));
    expect(types).not.toContain('session/customizationsChanged');
  });

  it('that come in a storm are told a few times', async () => {
    await begin();
    await entry('.agents/skills');
    for (let round = 0; round < 40; round++) {
      for (let index = 0; index < 10; index++) put(`.agents/skills/s${index}/SKILL.md`, skill(`s${index}-${round}`));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await entry('.agents/skills', (found) => names(found)?.every((name) => name.endsWith('-39')) ?? false);
    const updates = bob.actionsOn(session).filter((action) => action.type === 'session/customizationUpdated');
    expect(updates.length).toBeLessThan(20);
  });

  it('can be saved by clients into a directory that does not exist yet (B-231)', async () => {
    await begin();
    const { uri } = await entry('.github/prompts');
    const target = `${uri}/new.prompt.md`;
    const data = '---\ndescription: Made by a client\n---\nDo it.';
    await bob.request('resourceWrite', { channel: 'ahp-root://', uri: target, data, encoding: 'utf-8' });
    const found = await entry('.github/prompts', has('new'));
    expect(found.children).toMatchObject([{ name: 'new', description: 'Made by a client', uri: target }]);
    const outside = { channel: 'ahp-root://', uri: uriOf('.claude/skills/x', home), data, encoding: 'utf-8' };
    expect((await bob.refused('resourceWrite', outside)).code).toBe(-32009);
    const elsewhere = { channel: 'ahp-root://', uri: uriOf('missing/x'), data, encoding: 'utf-8' };
    expect((await bob.refused('resourceWrite', elsewhere)).code).toBe(-32008);
  });

  it('can be saved at once, while the directories are still being looked for (B-231)', async () => {
    await begin();
    const uri = uriOf('.github/prompts/early.prompt.md');
    const data = '---\ndescription: Early\n---\nDo it.';
    await bob.request('resourceWrite', { channel: 'ahp-root://', uri, data, encoding: 'utf-8' });
    await entry('.github/prompts', has('early'));
  });
});

describe('switching', () => {
  it('is kept over rediscovery, disappearance and a restart (B-228)', async () => {
    put('.claude/skills/a/SKILL.md', skill('a'));
    await begin();
    const { id } = await entry('.claude/skills');
    await accepted(alice, session, {
      type: 'session/customizationToggled',
      id,
      enablement: [{ kind: 'session', enabled: false }],
    });
    expect(await entry('.claude/skills')).toMatchObject({ enabled: false });
    put('.claude/skills/b/SKILL.md', skill('b'));
    expect(await entry('.claude/skills', has('b'))).toMatchObject({ id, enabled: false });
    rmSync(join(host.workspace, '.claude'), { recursive: true });
    await expect.poll(async () => (await entries()).some((one) => one.id === id), PATIENT).toBe(false);
    put('.claude/skills/a/SKILL.md', skill('a'));
    expect(await entry('.claude/skills', has('a'))).toMatchObject({ id, enabled: false });

    await host.restart();
    bob = await host.client();
    const before = await entries();
    expect(before.find((one) => one.id === id)).toMatchObject({ enabled: false });
    put('.claude/skills/c/SKILL.md', skill('c'));
    expect(await entry('.claude/skills', has('c'))).toMatchObject({ id, enabled: false });
    await accepted(bob, session, {
      type: 'session/customizationToggled',
      id,
      enablement: [{ kind: 'session', enabled: true }],
    });
    expect(await entry('.claude/skills', has('c'))).toMatchObject({ id, enabled: true });
  });

  it('counts for one of what is inside, and is refused for what is not there (OQ-71)', async () => {
    put('.claude/skills/a/SKILL.md', skill('a'));
    put('.claude/skills/b/SKILL.md', skill('b'));
    await begin();
    const { id: child = '' } = (await entry('.claude/skills', has('b'))).children?.[0] ?? {};
    const off = { type: 'session/customizationToggled', id: child, enablement: [{ kind: 'session', enabled: false }] };
    await accepted(alice, session, off);
    put('.claude/skills/c/SKILL.md', skill('c')); // what is found again stays switched off
    const { children = [] } = await entry('.claude/skills', has('c'));
    expect(children.filter((one) => 'enabled' in one && one.enabled === false).map(({ id }) => id)).toEqual([child]);
    for (const id of ['nonsense']) {
      const toggle = { type: 'session/customizationToggled', id, enablement: [{ kind: 'session', enabled: false }] };
      expect(await reasonFor(alice, session, toggle)).toContain('no customization');
    }
  });
});

it('after a restart only what changed meanwhile is told', async () => {
  put('.claude/skills/a/SKILL.md', skill('a'));
  put('.claude/commands/gone.md', 'x');
  await begin();
  await entry('.claude/skills', has('a'));
  await entry('.claude/commands');
  await host.stop();
  rmSync(join(host.workspace, '.claude/commands'), { recursive: true });
  put('AGENTS.md', 'new');
  await host.start();
  bob = await host.client();
  await bob.subscribe(session);
  await named(pathToFileURL(host.workspace).href, has('AGENTS.md'));
  await expect
    .poll(async () => (await entries()).some(({ uri }) => uri === uriOf('.claude/commands')), PATIENT)
    .toBe(false);
  const told = bob.actionsOn(session).map(({ type }) => type);
  expect(told).toEqual(['session/customizationUpdated', 'session/customizationRemoved']);
});
