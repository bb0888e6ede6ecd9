import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { connect } from '@moorage/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';

const BIN = fileURLToPath(new URL('../../packages/cli/bin/moorage.js', import.meta.url));

let folder: string;
let hosts: HostProcess[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-cli-')));
  hosts = [];
});
afterEach(async () => {
  for (const host of hosts) await host.kill();
  await removeFolder(folder);
});

async function serve(...args: string[]): Promise<HostProcess> {
  const host = await startHostProcess(['--data-dir', join(folder, 'data'), '--root', folder, ...args]);
  hosts.push(host);
  return host;
}

/** Runs the command to its end; it must not start serving. */
function refused(...args: string[]): { code: number | null; message: string } {
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'serve', '--port', '0', '--json', ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, message: stderr };
}

describe('moorage serve', () => {
  it('keeps its own data to itself, also when it lies in a root', async () => {
    const host = await serve();
    const client = await connect({ url: host.url, token: host.token });
    const code = (method: 'resourceRead' | 'resourceList', path: string) =>
      client.request(method, { channel: 'ahp-root://', uri: pathToFileURL(join(folder, path)).href }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
    writeFileSync(join(folder, 'mine'), 'x');
    expect([await code('resourceRead', 'mine'), await code('resourceRead', 'data/token')]).toEqual([0, -32009]);
    expect(await code('resourceList', 'data')).toBe(-32009);
    const uri = pathToFileURL(join(folder, 'data')).href;
    const removed = client.request('resourceDelete', { channel: 'ahp-root://', uri, recursive: true });
    const forGood = { code: -32009, data: {}, message: expect.stringContaining('cannot be granted') };
    await expect(removed).rejects.toMatchObject(forGood);
    const session = { channel: 'ahp-session:/in-data', provider: 'demo', workingDirectories: [uri] };
    await expect(client.request('createSession', session)).rejects.toMatchObject({ code: -32009 });
    const activeClient = { clientId: client.clientId, tools: [] };
    await client.request('createSession', { channel: 'ahp-session:/asks', provider: 'demo', activeClient });
    await expect(client.request('resourceRequest', { uri })).rejects.toMatchObject(forGood); // and asks nobody
    await client.close();
  });

  it('says as its first line where it serves, and how', async () => {
    const host = await serve();
    expect(host.ready).toEqual({
      ready: true,
      url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/$/),
      web: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#/),
      token: expect.stringMatching(/^[\w-]{32,}$/),
      protocolVersions: expect.arrayContaining(['1.0.0', '0.4.0']),
      dataDir: join(folder, 'data'),
    });
    const client = await connect({ url: host.url, token: host.token });
    const root = await client.root();
    expect(root.confirmed.agents.map((agent) => agent.provider)).toContain('demo');
    const model = root.confirmed.agents.find((agent) => agent.provider === 'model');
    expect(model?.description).toMatch(/No model is configured\. Add one under "agents"/);
    client.close();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s', async (signal) => {
    const host = await serve();
    const client = await connect({ url: host.url, token: host.token, reconnect: false });
    expect(await host.stop(signal)).toBe(0);
    client.close();
  });

  it('keeps its token in a file that only its owner can read, and uses it again', async () => {
    const first = await serve();
    await first.stop();
    const second = await serve();
    expect(second.token).toBe(first.token);
    expect(statSync(join(folder, 'data', 'token')).mode & 0o777).toBe(0o600);
  });

  it('refuses a data folder that another host uses, and names its process', async () => {
    const host = await serve();
    const { code, message } = refused('--data-dir', join(folder, 'data'));
    expect(code).toBe(1);
    expect(message).toContain(`process ${host.pid}`);
  });

  it('stops cleanly when its terminal is closed', async () => {
    const host = await serve();
    expect(await host.stop('SIGHUP')).toBe(0);
    expect(existsSync(join(folder, 'data', 'host.json'))).toBe(false);
  });

  it('answers health checks without a token and nothing else without one', async () => {
    const host = await serve();
    const http = host.url.replace('ws:', 'http:');
    expect((await fetch(`${http}healthz`)).status).toBe(200);
    expect((await fetch(`${http}readyz`)).status).toBe(200);
    expect((await fetch(http)).headers.get('content-security-policy')).toContain("default-src 'none'");
    await expect(connect({ url: host.url, token: 'wrong-token-0123456789' })).rejects.toMatchObject({
      name: 'ConnectError',
    });
  });

  it('serves a unix socket as well, without a token', async () => {
    const path = join(folder, 'host.sock');
    await serve('--socket', path);
    const client = await connect({ url: `unix:${path}` });
    expect(await client.request('listSessions')).toEqual({ items: [] });
    client.close();
  });

  it('serves its parent on stdio, and keeps standard output for it', async () => {
    const args = [BIN, 'serve', '--port', '0', '--stdio', '--data-dir', join(folder, 'data'), '--root', folder];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const line = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"channel":"ahp-root://"}}\n');
    expect(JSON.parse(await line)).toEqual({ jsonrpc: '2.0', id: 1, result: null });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    expect(await ended).toBe(0);
  });

  it('goes on when something fails that nobody waits for, and says so', async () => {
    // Once the file is there that says that it serves.
    const served = JSON.stringify(join(folder, 'data', 'host.json'));
    const forgotten = `import { existsSync } from 'node:fs';
      const look = setInterval(() => {
        if (!existsSync(${served})) return;
        clearInterval(look);
        void Promise.reject(new Error('forgotten'));
      }, 5);`;
    const args = [BIN, 'serve', '--port', '0', '--json', '--data-dir', join(folder, 'data'), '--root', folder];
    const child = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(forgotten)}`, ...args],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const said = new Promise<string>((resolve) => createInterface({ input: child.stderr }).once('line', resolve));
    const line = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
    try {
      const { url } = JSON.parse(await line) as { url: string };
      expect(JSON.parse(await said)).toMatchObject({ level: 'error', error: expect.stringContaining('forgotten') });
      expect((await fetch(`${url.replace('ws:', 'http:')}healthz`)).status).toBe(200);
      child.kill();
      expect(await ended).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('goes on when nobody reads its log or its output any more', async () => {
    const args = [BIN, 'serve', '--port', '0', '--json', '--data-dir', join(folder, 'data'), '--root', folder];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const line = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
    try {
      const { url } = JSON.parse(await line) as { url: string };
      for (const stream of [child.stdout, child.stderr]) {
        const closed = new Promise((resolve) => stream.once('close', resolve));
        stream.destroy();
        await closed;
      }
      for (let attempt = 0; attempt < 3; attempt++) {
        // Each one is a line of the log.
        await expect(connect({ url, token: 'wrong-token-0123456789' })).rejects.toMatchObject({ status: 401 });
      }
      expect((await fetch(`${url.replace('ws:', 'http:')}healthz`)).status).toBe(200);
      child.kill();
      expect(await ended).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('makes a scratch git repository to play in', async () => {
    const host = await startHostProcess(['--data-dir', join(folder, 'data'), '--playground']);
    hosts.push(host);
    const client = await connect({ url: host.url, token: host.token });
    expect(client.hostInfo.defaultDirectory).toMatch(/\/playground$/);
    client.close();
    const { stdout } = spawnSync('git', ['-C', join(folder, 'data', 'playground'), 'log', '--oneline'], {
      encoding: 'utf8',
    });
    expect(stdout).toContain('playground');
  });

  it.each(['normal', 'full'])('is there after kill -9 for one that reconnects, with all it had (%s)', async (level) => {
    const host = await serve('--durability', level);
    const port = new URL(host.url).port;
    const client = await connect({ url: host.url, token: host.token, reconnect: { minDelayMs: 20, maxDelayMs: 200 } });
    const session = 'ahp-session:/survivor';
    await client.request('createSession', { channel: session });
    const mirror = await client.session(session);
    await mirror.dispatch({ type: 'session/titleChanged', title: 'Still here' });
    await host.kill();
    await serve('--port', port, '--durability', level);
    await mirror.dispatch({ type: 'session/isReadChanged', isRead: true });
    expect(mirror.confirmed.title).toBe('Still here');
    client.close();
  });
});

describe('wrong usage', () => {
  it.each([
    ['an unknown option', ['--nonsense'], 'nonsense'],
    ['a port that is none', ['--port', 'x'], '65535'],
    ['an address that others can reach', ['--host', '0.0.0.0'], '--insecure'],
    ['half of a TLS pair', ['--tls-cert', 'cert.pem'], '--tls-key'],
    ['a root that does not exist', ['--root', '/nonexistent/folder'], '/nonexistent/folder'],
    ['a root that is a file', ['--root', BIN], `${BIN} is not a folder`],
    ['a token file that is a folder', ['--token-file', '/'], '--token-file: cannot read /'],
    ['a root without a name', ['--root', ''], 'expected a path'],
    ['a configuration that does not exist', ['--config', '/nonexistent'], '/nonexistent: there is no such file'],
    ['a configuration that is a folder', ['--config', '/'], 'cannot read /: it is a folder'],
    ['a word too much', ['here'], 'moorage serve --help'],
    ['a token file that does not exist', ['--token-file', '/nonexistent/token'], '/nonexistent/token'],
    ['an unknown log level', ['--log-level', 'loud'], 'debug'],
    ['an unknown durability', ['--durability', 'some'], 'full'],
  ])('%s ends with code 2 and says what to do', (_what, args, hint) => {
    const { code, message } = refused('--data-dir', join(folder, 'data'), ...args);
    expect(message).toContain(hint);
    expect(code).toBe(2);
  });

  it.each([
    ['a list that does not end', '{ "roots": [', ':1: expected a closing bracket ]'],
    ['an object that does not end', '{\n', ':2: expected a closing brace }'],
    ['nothing', '', ':1: expected a value'],
    ['a root that does not exist', '{ "roots": ["/nonexistent"] }', ': roots: there is no folder /nonexistent'],
    ['a wrong type', '{\n  // folders\n  "roots": "here",\n}', ':3: roots: expected a list of strings'],
    ['plugins that are no list', '{\n  "plugins": { "a": 1 }\n}', ':2: plugins: expected a list of strings'],
    ['a plugin that is no path', '{ "plugins": ["a",\n 7] }', ':2: plugins.1: expected a string'],
    ['an unknown key', '{\n  "rots": []\n}', ':2: rots: expected one of the keys'],
    [
      'a wrong protocol of a model',
      '{ "agents": { "m": { "type": "model",\n"api": "x", "baseURL": "http://a/v1", "models": ["m"] } } }',
      ':2: agents.m.api: expected "openai", "openai-responses" or "anthropic"',
    ],
    [
      'an unknown setting of a model agent',
      '{ "agents": { "m": { "type": "model", "api": "openai", "baseURL": "http://a/v1", "models": ["m"], "key": 1 } } }',
      ':1: agents.m.key: expected one of the keys type,',
    ],
    [
      'a protected resource that is no URL',
      '{ "agents": { "m": { "type": "model", "api": "openai", "baseURL": "http://a/v1", "models": ["m"],\n"auth": { "resource": "x" } } } }',
      ':2: agents.m.auth.resource: expected the URL of what is protected',
    ],
    [
      'an ACP agent whose token goes nowhere',
      '{ "agents": { "c": { "type": "acp", "command": "c",\n"auth": { "resource": "https://a.example/" } } } }',
      ':2: agents.c.auth.tokenEnv: expected the name of an environment variable',
    ],
  ])('a configuration file with %s is refused with its line', (_what, text, hint) => {
    const file = join(folder, 'config.json');
    writeFileSync(file, text);
    const { code, message } = refused('--data-dir', join(folder, 'data'), '--config', file);
    expect(message).toContain(`${file}${hint}`);
    expect(code).toBe(2);
  });

  it('a port that is taken is said so', async () => {
    const host = await serve();
    const port = new URL(host.url).port;
    const { code, message } = refused('--data-dir', join(folder, 'other'), '--root', folder, '--port', port);
    expect(message).toContain(port);
    expect(code).toBe(1);
  });
});

it('lets nobody in on a socket that says nothing', async () => {
  const host = await serve();
  const socket = createConnection(Number(new URL(host.url).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const client = await connect({ url: host.url, token: host.token });
  expect(await client.request('ping')).toBeNull();
  client.close();
  socket.destroy();
});
