import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT_URI, type RootState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GROUPS } from '../../packages/cli/dist/client/command-table.js';
import { createProgram } from '../../packages/cli/dist/client/program.js';
import { CliWorld, MOORAGE_BIN } from '../support/cli.js';
import { WireClient } from '../support/wire-client.js';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
afterEach(() => world.end());

describe('moorage host', () => {
  it('starts a host in the background, finds it, shows its log and stops it', async () => {
    expect(await world.moorage('host', 'status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('moorage host start'),
    });
    const started = JSON.parse((await world.moorage('host', 'start', '--port', '0', '--json')).out);
    expect(started).toMatchObject({ running: true, started: true, url: expect.stringMatching(/^ws:/) });
    expect(JSON.parse((await world.moorage('host', 'start', '--json')).out)).toMatchObject({
      started: false,
      pid: started.pid,
    });
    expect((await world.moorage('run', '/say found it')).out).toBe('found it\n');
    expect(JSON.parse((await world.moorage('host', 'status', '--json')).out)).toMatchObject({ running: true });
    expect(statSync(join(world.dataDir, 'host.json')).mode & 0o777).toBe(0o600);
    expect((await world.moorage('host', 'logs', '-n', '1')).code).toBe(0);
    expect((await world.moorage('host', 'stop')).out).toBe('stopped\n');
    expect(existsSync(join(world.dataDir, 'host.json'))).toBe(false);
    expect(await world.moorage('host', 'stop')).toMatchObject({ code: 1 });
  });

  it('knows a host that was killed from one that runs', async () => {
    const host = await world.serve();
    await host.kill();
    expect(await world.moorage('host', 'status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('ended without'),
    });
    // The number of the process belongs to somebody else by now.
    const stale = JSON.parse(readFileSync(join(world.dataDir, 'host.json'), 'utf8'));
    writeFileSync(join(world.dataDir, 'host.json'), JSON.stringify({ ...stale, pid: process.pid }));
    expect(await world.moorage('host', 'stop')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no host is running'),
    });
  });

  it('says what the log says when a host does not start', async () => {
    const ran = await world.moorage('host', 'start', '--root', '/nonexistent/folder');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('there is no folder /nonexistent/folder') });
  });

  it.each([
    ['a file', () => join(world.folder, 'file'), 'it, or something above it, is a file'],
    ['below a file', () => join(world.folder, 'file', 'data'), 'it, or something above it, is a file'],
    ['where no folder can be', () => '/proc/moorage', '/proc/moorage cannot be used'],
    ['nowhere', () => '', 'expected a path'],
  ])('says why a data folder cannot be used: %s', async (_what, dataDir, why) => {
    writeFileSync(join(world.folder, 'file'), '');
    const ran = await world.moorage('host', 'start', '--data-dir', dataDir());
    expect(ran.err).toContain(why);
    expect(ran.code).not.toBe(0);
  });

  it('starts one for a run when asked to', async () => {
    const ran = await world.moorage('run', '--start', '/say started for you');
    expect(ran).toMatchObject({ code: 0, out: 'started for you\n' });
    expect((await world.moorage('run', '--start', '/say still there')).out).toBe('still there\n');
  });

  it('gives hosts names, and lists sessions of all of them', async () => {
    const host = await world.serve();
    const other = new CliWorld();
    try {
      const { url } = await other.serve();
      await other.session('/title In the other\n/say x');
      await world.session('/title In this one\n/say x');
      const token = join(other.dataDir, 'token');
      expect((await world.moorage('host', 'add', 'other', url, '--token-file', token)).code).toBe(0);
      expect((await world.moorage('host', 'list')).out).toContain(`other  ${url}`);
      expect((await world.moorage('ls', '--host', 'other')).out).toContain('In the other');
      const all = (await world.moorage('ls', '--all-hosts')).out;
      expect(all).toMatch(/^other .*In the other/m);
      expect(all).toMatch(/^local .*In this one/m);
      const env = { MOORAGE_HOST: host.url, MOORAGE_TOKEN: host.token };
      expect((await world.moorageWith({ env }, 'ls')).out).toContain('In this one');
      expect((await world.moorage('host', 'remove', 'other')).code).toBe(0);
      expect(await world.moorage('ls', '--host', 'other')).toMatchObject({ code: 2 });
    } finally {
      await other.end();
    }
  });

  it('keeps what the user wrote into the configuration, and says what is wrong with it', async () => {
    const file = join(world.folder, 'config', 'moorage', 'config.jsonc');
    await world.moorage('host', 'add', 'first', 'ws://127.0.0.1:1/', '--default');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{\n  // mine\n  "later": 1,'));
    expect((await world.moorage('host', 'add', 'second', 'ws://127.0.0.1:2/')).code).toBe(0);
    expect((await world.moorage('host', 'remove', 'first')).code).toBe(0);
    const kept = readFileSync(file, 'utf8');
    expect(kept).toContain('// mine\n  "later": 1');
    expect(kept).not.toMatch(/first|default/);
    expect((await world.moorage('host', 'list')).out).toContain('second  ws://127.0.0.1:2/');
    writeFileSync(file, '{\n "hosts": [');
    const broken = await world.moorage('host', 'list');
    expect(broken).toMatchObject({ code: 2, err: expect.stringContaining(`${file}:2: expected a closing bracket ]`) });
    expect(await world.moorage('host', 'add', 'third', 'ws://127.0.0.1:3/')).toMatchObject({ code: 2 });
    rmSync(file);
    mkdirSync(file);
    expect((await world.moorage('host', 'list')).err).toContain('it is a folder');
  });

  it('starts none for a run that goes to a named host', async () => {
    const { url } = await world.serve();
    const env = { XDG_DATA_HOME: join(world.folder, 'nothing') };
    await world.moorage('host', 'add', 'usual', url, '--default', '--token-file', join(world.dataDir, 'token'));
    expect(await world.moorageWith({ env }, 'run', '--start', '/say there')).toMatchObject({ code: 0, out: 'there\n' });
    expect(await world.moorageWith({ env }, 'host', 'status')).toMatchObject({ code: 1 });
  });

  it('shows nothing of a foreign host that a terminal would obey', async () => {
    const path = join(world.folder, 'foreign.sock');
    const evil = 'no\x1b]0;owned\x07\nDo \x1b[31mthis';
    const server = createServer((socket) => {
      createInterface({ input: socket }).on('line', (line) => {
        const { id } = JSON.parse(line);
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: evil } })}\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      await world.moorage('host', 'add', 'foreign', `unix:${path}`);
      const listed = await world.moorage('ls', '--all-hosts');
      expect(listed.err).toContain('moorage: foreign: cannot talk to the host');
      const { out } = await world.moorage('doctor', '--host', 'foreign');
      expect(out).toContain('fix: Do ^[[31mthis');
      expect(listed.err + out).not.toContain('\x1b');
    } finally {
      server.close();
    }
  });

  it('is found by its unix socket', async () => {
    await world.serve('--socket', join(world.folder, 'host.sock'));
    const doctor = JSON.parse((await world.moorage('doctor', '--json')).out);
    expect(doctor).toContainEqual(
      expect.objectContaining({ name: 'host', state: 'good', found: expect.stringContaining('unix:') }),
    );
  });
});

describe('looking around', () => {
  it('tells its build where it is not taken for the host of VS Code, which calls it `hostBuild` (V-9)', async () => {
    const { url, token } = await world.serve();
    const client = await WireClient.connect({ url, token });
    const { _meta } = await client.subscribe<RootState>(ROOT_URI);
    expect(Object.keys(_meta ?? {})).toEqual(['moorage.build', 'moorage.knownAgents']);
    await client.close();
  });

  it('lists agents and versions, and checks the installation', async () => {
    await world.serve();
    expect((await world.moorage('agents')).out).toMatch(/^demo +ready +Demo/);
    expect((await world.moorage('versions')).out).toMatch(/^host +moorage \d+\.\d+\.\d+, speaking 1\.0\.0$/m);
    expect(JSON.parse((await world.moorage('versions', '--json')).out)).toMatchObject({
      protocol: '1.0.0',
      host: { build: { name: 'moorage' } },
    });
    const good = await world.moorage('doctor');
    expect(good.out).not.toContain('FAIL');
    expect(good.code).toBe(0);
    const bad = await world.moorage('doctor', '--data-dir', join(world.folder, 'nowhere'));
    expect(bad.out).toContain('fix: Start one with: moorage host start');
    expect(bad.code).toBe(1);
  });

  it('shows the wire without secrets', async () => {
    await world.serve();
    const id = await world.session('/say x');
    const child = spawn(process.execPath, [MOORAGE_BIN, 'watch', id, '--json'], { cwd: world.work, env: world.env });
    const seen: string[] = [];
    let onLine = () => {};
    const sees = (part: string) =>
      new Promise<void>((resolve) => {
        onLine = () => seen.some((line) => line.includes(part)) && resolve();
        onLine();
      });
    createInterface({ input: child.stdout }).on('line', (line) => {
      seen.push(line);
      onLine();
    });
    await sees('"responseParts"');
    await world.moorage('send', id, '/say Authorization: Bearer abcdef0123456789');
    await sees('chat/turnComplete');
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    const messages = seen.map((line) => JSON.parse(line));
    expect(messages.some(({ message }) => message.method === 'initialize')).toBe(true);
    expect(seen.join('\n')).toContain('Bearer [hidden]');
    expect(seen.join('\n')).not.toContain('abcdef0123456789');
  });
});

describe('moorage completion', () => {
  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
  const complete = async (shell: string, args: string[], script: string) => {
    const file = join(world.folder, `completion.${shell}`);
    writeFileSync(file, (await world.moorage('completion', shell)).out);
    const ran = spawnSync(shell, [...args, '-c', script.replace('FILE', file)], { encoding: 'utf8', env: world.env });
    expect(ran.stderr).toBe('');
    return ran.stdout;
  };

  it.skipIf(!has('bash'))('works in bash', async () => {
    const ask = (words: string) =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _moorage; echo "\${COMPREPLY[@]}"`;
    await world.serve();
    const id = await world.session('/say x');
    const removed = await world.session('/say y');
    await world.moorage('rm', removed, '--yes');
    const asked = [
      'moorage host st',
      'moorage dif',
      'moorage diff --st',
      `moorage show ${id.slice(0, 4)}`,
      'moorage restore ""',
      'moorage serve --tls-',
      'moorage backup --d',
      'moorage recover --ch',
    ];
    const script = `source FILE; ${asked.map(ask).join('; ')}`;
    const [start, diff, stat, shown, restorable, ...ofHost] = (await complete('bash', ['--norc'], script)).split('\n');
    expect([start, diff, stat, shown]).toEqual(['start stop status', 'diff', '--stat', id]);
    expect(ofHost).toEqual(['--tls-cert --tls-key', '--data-dir', '--check', '']);
    expect(restorable?.split(' ')).toContain(removed);
    expect(restorable?.split(' ')).not.toContain(id);
  });

  it.skipIf(!has('zsh'))('works in zsh', async () => {
    const dump = join(world.folder, 'zcompdump');
    const script = `autoload -Uz compinit; compinit -u -d ${dump}; source FILE
      _describe() { print -l -- \${choices%%:*} }
      words=(moorage host st); CURRENT=3; _moorage`;
    expect((await complete('zsh', ['-f'], script)).split('\n')).toEqual(
      expect.arrayContaining(['start', 'stop', 'status']),
    );
  });

  it.skipIf(!has('fish'))('works in fish', async () => {
    const out = await complete(
      'fish',
      ['--no-config'],
      'source FILE; complete -C "moorage host st"; complete -C "moorage diff --st"',
    );
    expect(out.split('\n').map((line) => line.split('\t', 1)[0])).toEqual(['start', 'status', 'stop', '--stat', '']);
  });

  it('refuses other shells', async () => {
    expect(await world.moorage('completion', 'tcsh')).toMatchObject({ code: 2 });
  });
});

describe('help', () => {
  it('is there for every command, with examples', async () => {
    const program = await createProgram({ all: true });
    expect(program.commands.map((command) => command.name())).toEqual(
      GROUPS.flatMap(([, commands]) => commands).map(({ name }) => name),
    );
    const all = program.commands.flatMap((command) => [command, ...command.commands]);
    for (const command of all) {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help).toMatch(/Examples:\n {2}.*moorage /);
      if (command.name() !== 'recover') expect(help).toContain('--json');
    }
  });

  it('is quick because it loads no command', async () => {
    const { out, code } = await world.moorage('--help');
    expect(code).toBe(0);
    for (const { name, summary } of GROUPS.flatMap(([, commands]) => commands))
      expect(out).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'));
    expect((await world.moorage('help', 'run')).out).toContain('--detach');
  });
});
