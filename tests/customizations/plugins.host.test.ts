import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AhpErrorCodes, type Customization, isEnabledBy, RpcError, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, PATIENT } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

type Container = Exclude<Customization, { type: 'mcpServer' }>;

let home: string;
let host: TestHost;
let alice: WireClient;
let bob: WireClient;
let session: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-home-')));
});
afterEach(async () => {
  await host.dispose();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, content: string | object, base = home): void {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

async function start(plugins: string[] = [], options: TestHostOptions = {}, params: object = {}): Promise<void> {
  host = await TestHost.start({ customizations: { userHome: home, plugins }, ...options });
  alice = await host.client({ clientId: 'alice' });
  bob = await host.client({ clientId: 'bob' });
  ({ session } = await host.session(alice, params));
  await bob.subscribe(session);
}
async function plugins(): Promise<Container[]> {
  const { customizations = [] } = await bob.subscribe<SessionState>(session);
  return customizations.filter((entry): entry is Container => entry.type === 'plugin');
}
async function plugin(name: string, matches: (found: Container) => boolean = () => true): Promise<Container> {
  const find = async () => (await plugins()).find((one) => one.name === name && matches(one));
  await expect.poll(find, PATIENT).toBeDefined();
  return (await find()) as Container;
}
const kinds = (found: Container) => found.children?.map(({ type, name }) => `${type} ${name}`).sort();
const isSettled = ({ load }: Container) => load?.kind !== 'loading';

describe('plugins of the user and of the configuration', () => {
  it('bring what their folders hold, in each of the usual layouts', async () => {
    put('one/plugin.json', { name: 'open', version: '1.0.0' });
    put('one/skills/a/SKILL.md', '---\nname: a\ndescription: A\n---\nx');
    put('one/mcp.json', {
      mcpServers: { db: { command: 'db' }, web: { type: 'http', url: 'http://127.0.0.1:9/mcp' } },
    });
    put('two/.claude-plugin/plugin.json', {
      name: 'claude',
      commands: ['./extra'],
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'x' }] }] },
      mcpServers: { inline: { command: 'run' } },
    });
    put('two/commands/c.md', 'x');
    put('two/extra/e.md', 'x');
    put('two/agents/g.md', '---\ndescription: G\n---\nx');
    put('two/rules/r.mdc', '---\nglobs: ["*.ts"]\n---\nx');
    put('.agents/plugins/three/.plugin/plugin.json', { name: 'of the user' });
    put('.agents/plugins/three/commands/u.md', 'x');
    await start([join(home, 'one'), join(home, 'two')]);
    const one = await plugin('open');
    expect(kinds(one)).toEqual(['mcpServer db', 'mcpServer web', 'skill a']);
    expect(one).toMatchObject({ load: { kind: 'loaded' }, uri: pathToFileURL(join(home, 'one')).href });
    const server = one.children?.find(({ name }) => name === 'db');
    expect(server).toMatchObject({ range: { start: { line: 0 } } });
    expect(kinds(await plugin('claude'))).toEqual([
      'agent g',
      'hook SessionStart',
      'mcpServer inline',
      'prompt c',
      'prompt e',
      'rule r',
    ]);
    expect(kinds(await plugin('of the user'))).toEqual(['prompt u']);
  });

  it('that are broken, empty or lead elsewhere say so', async () => {
    put('secret/SKILL.md', '---\nname: secret\n---\nx');
    put('broken/plugin.json', '{ "name": ');
    put('broken/skills/ok/SKILL.md', '---\nname: ok\n---\nx');
    put('nosy/plugin.json', {
      name: 'nosy',
      skills: ['../secret', '/etc'],
      commands: 'missing',
      mcpServers: { bad: {} },
    });
    mkdirSync(join(home, 'nosy/skills'), { recursive: true });
    symlinkSync(join(home, 'secret'), join(home, 'nosy/skills/linked'));
    await start([join(home, 'broken'), join(home, 'nosy'), join(home, 'absent')]);
    expect(await plugin('broken')).toMatchObject({ children: [{ name: 'ok' }], load: { kind: 'degraded' } });
    const nosy = await plugin('nosy');
    expect(nosy.children).toEqual([]);
    const message = nosy.load?.kind === 'degraded' ? nosy.load.message : '';
    for (const words of ['within the plugin', 'leads out', 'MCP server bad', 'no folder missing']) {
      expect(message).toContain(words);
    }
    expect(await plugin('absent')).toMatchObject({ load: { kind: 'error', message: 'there is no plugin here' } });
    put('absent/plugin.json', { name: 'here now' });
    expect(await plugin('here now')).toMatchObject({ children: [], load: { kind: 'loaded' } });
  });

  it('have MCP servers that are switched one by one, also over a restart (OQ-71)', async () => {
    put('one/plugin.json', { name: 'open' });
    put('one/.mcp.json', { mcpServers: { db: { command: 'db' } } });
    await start([join(home, 'one')]);
    const { id } = (await plugin('open')).children?.[0] ?? { id: '' };
    await accepted(alice, session, {
      type: 'session/customizationToggled',
      id,
      enablement: [{ kind: 'session', enabled: false }],
    });
    await plugin('open', ({ children }) => children?.[0]?.type === 'mcpServer' && !isEnabledBy(children[0].enablement));
    put('one/skills/a/SKILL.md', 'x');
    const later = await plugin('open', ({ children }) => children?.length === 2);
    expect(later.children?.find((child) => child.id === id)).toMatchObject({ enablement: [{ enabled: false }] });
    await host.restart();
    bob = await host.client();
    expect((await plugin('open')).children?.find((child) => child.id === id)).toMatchObject({
      enablement: [{ enabled: false }],
    });
  });
});

it('what an agent declares is resolved against the workspace (B-224)', async () => {
  put('own-plugin/plugin.json', { name: 'the plugin of the agent' });
  const agent = testAgent();
  const uri = pathToFileURL(join(home, 'own-plugin')).href;
  const customizations: Customization[] = [
    {
      id: 'd',
      type: 'directory',
      uri: '.test/skills',
      name: 'Skills',
      enabled: true,
      contents: 'skill',
      writable: true,
    },
    { id: 'p', type: 'plugin', uri, name: 'Plugin' },
  ];
  const agents = [{ ...agent, info: { ...agent.info, customizations } }];
  await start([], { agents }, { provider: 'test' });
  put('.test/skills/s/SKILL.md', '---\nname: s\n---\nx', host.workspace);
  await plugin('the plugin of the agent');
  const folder = pathToFileURL(join(host.workspace, '.test/skills')).href;
  const find = async () => {
    const { customizations = [] } = await bob.subscribe<SessionState>(session);
    return customizations.find((one) => one.uri === folder);
  };
  await expect
    .poll(async () => (await find()) ?? {}, PATIENT)
    .toMatchObject({
      type: 'directory',
      name: 'Skills',
      contents: 'skill',
      writable: true,
      children: [{ name: 's' }],
    });
});

describe('plugins of a client', () => {
  const FILES: Record<string, string> = {
    'plugin.json': '{"name":"from the manifest"}',
    'skills/x y/SKILL.md': '---\nname: mine\ndescription: Of a client\n---\nDo it.',
    'rules/r.md': 'Always.',
    '.mcp.json': JSON.stringify({
      mcpServers: { s: { command: 'x' }, local: { command: `$\{CLAUDE_PLUGIN_ROOT}/x` } },
    }),
  };
  let asked: string[];

  function serve(client: WireClient, files = FILES): void {
    const pathOf = (uri: string) => decodeURIComponent(uri.slice('virtual://alice/p'.length)).replace(/^\//, '');
    asked = [];
    client.serves.set('resourceList', ({ uri }: { uri: string }) => {
      asked.push(uri);
      const folder = pathOf(uri) === '' ? '' : `${pathOf(uri)}/`;
      const below = Object.keys(files).filter((path) => path.startsWith(folder));
      if (below.length === 0) throw new RpcError(AhpErrorCodes.NotFound, 'no');
      const entries = new Map(
        below.map((path) => {
          const [name = '', ...rest] = path.slice(folder.length).split('/');
          return [name, { name, type: rest.length > 0 ? 'directory' : 'file' }];
        }),
      );
      return { entries: [...entries.values()] };
    });
    client.serves.set('resourceRead', ({ uri }: { uri: string }) => {
      asked.push(uri);
      const data = files[pathOf(uri)];
      if (data === undefined) throw new RpcError(AhpErrorCodes.NotFound, 'no');
      return { data, encoding: 'utf-8' };
    });
  }
  const declared = (more: object = {}) => ({
    id: 'p',
    type: 'plugin',
    uri: 'virtual://alice/p',
    name: 'Mine',
    ...more,
  });
  const claim = (...customizations: object[]) => ({
    type: 'session/activeClientSet',
    activeClient: { clientId: 'alice', tools: [], customizations },
  });

  it('are read from it, shown as its own, and gone with it (B-232, B-233, B-234, OQ-66, OQ-76)', async () => {
    await start();
    serve(alice);
    await accepted(alice, session, claim(declared({ nonce: '1' })));
    const found = await plugin('Mine', isSettled);
    expect(found).toMatchObject({ id: 'alice:p', clientId: 'alice', uri: 'virtual://alice/p' });
    expect(kinds(found)).toEqual(['mcpServer s', 'rule r', 'skill mine']);
    expect(found.load).toMatchObject({ kind: 'degraded', message: expect.stringContaining('not on this machine') });
    expect(found.children?.find(({ name }) => name === 'mine')?.uri).toBe('virtual://alice/p/skills/x%20y/SKILL.md');
    const updates = bob.actionsOn(session).filter((action) => action.type === 'session/customizationUpdated');
    const states = updates.flatMap(({ customization }) =>
      'clientId' in customization ? [customization.load?.kind] : [],
    );
    expect(states).toEqual(['loading', 'degraded']);

    const before = asked.length;
    await accepted(alice, session, claim(declared({ nonce: '1', name: 'Renamed' })));
    await plugin('Renamed', isSettled);
    expect(asked).toHaveLength(before); // the nonce says that nothing changed
    await accepted(bob, session, {
      type: 'session/customizationToggled',
      id: 'alice:p',
      enablement: [{ kind: 'session', enabled: false }],
    });
    serve(alice, { 'plugin.json': '{}', 'commands/c.md': 'x' });
    await accepted(alice, session, claim(declared({ nonce: '2' })));
    const changed = await plugin('Mine', ({ children }) => children?.length === 1);
    expect(changed).toMatchObject({ enablement: [{ enabled: false }], children: [{ type: 'prompt', name: 'c' }] });

    await host.leave(alice);
    await expect.poll(plugins, PATIENT).toEqual([]);
    expect(bob.actionsOn(session).filter(({ type }) => type === 'session/customizationRemoved')).toHaveLength(1);
  });

  it('that are read because somebody subscribes are told after the answer (OQ-18)', async () => {
    put('one/plugin.json', { name: 'first' });
    await start([join(home, 'one')]);
    serve(alice);
    await plugin('first', isSettled); // then nobody looks for more
    for (const client of [alice, bob]) {
      client.peer.notify('unsubscribe', { channel: session });
      await client.sync();
    }
    alice.dispatch(session, claim(declared()));
    await alice.sync();
    const frames: { result?: { snapshot?: unknown }; params?: { channel?: string } }[] = [];
    bob.socket.on('message', (data) => frames.push(JSON.parse(String(data))));
    await bob.subscribe(session);
    await plugin('Mine', isSettled);
    const answer = frames.findIndex(({ result }) => result?.snapshot);
    const first = frames.findIndex(({ params }) => params?.channel === session);
    expect(first).toBeGreaterThan(answer);
  });

  it('are gone after a restart without their client, and when it publishes them no more', async () => {
    await start();
    serve(alice);
    await accepted(alice, session, claim(declared(), declared({ id: 'q', name: 'Other' })));
    await plugin('Other', isSettled);
    await accepted(alice, session, claim(declared()));
    await expect.poll(async () => (await plugins()).map(({ name }) => name), PATIENT).toEqual(['Mine']);
    await host.restart();
    bob = await host.client();
    expect(await plugins()).toEqual([]);
  });

  it('of a client that never answers are an error after a while (OQ-96)', async () => {
    const clock = new ManualClock();
    await start([], { clock });
    let requests = 0;
    alice.serves.set('resourceList', () => {
      requests++;
      return new Promise(() => {});
    });
    await accepted(alice, session, claim(declared()));
    await expect.poll(() => requests, PATIENT).toBe(1);
    expect(await plugin('Mine')).toMatchObject({ load: { kind: 'loading' } });
    expect((await plugin('Mine')).children).toBeUndefined();
    clock.advance(10_000);
    const found = await plugin('Mine', isSettled);
    expect(found.load).toMatchObject({ kind: 'error', message: expect.stringContaining('did not answer') });
    expect(requests).toBe(1);
  });

  it('may be nonsense: nothing else suffers', async () => {
    await start();
    alice.serves.set('resourceList', () => ({
      entries: [
        { name: '../..', type: 'directory' },
        { name: 'skills', type: 'directory' },
      ],
    }));
    alice.serves.set('resourceRead', () => ({ data: 7 }));
    await accepted(
      alice,
      session,
      claim(
        declared({ name: 'nonsense' }),
        declared({ id: 'h', name: 'of the host', uri: 'ahp-session:/x' }),
        declared({ id: 'f', name: 'a file', uri: pathToFileURL(home).href }),
      ),
    );
    for (const name of ['nonsense', 'of the host', 'a file']) {
      const { load } = await plugin(name, isSettled);
      expect([name, load?.kind]).toEqual([
        name,
        name === 'a file' ? 'degraded' : expect.stringMatching(/error|loaded/),
      ]);
    }
    await accepted(alice, session, { type: 'session/activeClientRemoved', clientId: alice.clientId });
    await expect.poll(plugins, PATIENT).toEqual([]);
  });
});
