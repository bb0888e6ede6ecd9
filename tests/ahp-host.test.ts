import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AHP_BIN, AhpWorld } from './support/ahp.js';

let world: AhpWorld;
beforeEach(() => {
  world = new AhpWorld();
});
afterEach(() => world.end());

describe('ahp host', () => {
  it('starts a host in the background, finds it, shows its log and stops it', async () => {
    expect(await world.ahp('host', 'status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('ahp host start'),
    });
    const started = JSON.parse((await world.ahp('host', 'start', '--port', '0', '--json')).out);
    expect(started).toMatchObject({ running: true, started: true, url: expect.stringMatching(/^ws:/) });
    expect(JSON.parse((await world.ahp('host', 'start', '--json')).out)).toMatchObject({
      started: false,
      pid: started.pid,
    });
    expect((await world.ahp('run', '/say found it')).out).toBe('found it\n');
    expect(JSON.parse((await world.ahp('host', 'status', '--json')).out)).toMatchObject({ running: true });
    expect(statSync(join(world.dataDir, 'host.json')).mode & 0o777).toBe(0o600);
    expect((await world.ahp('host', 'logs', '-n', '1')).code).toBe(0);
    expect((await world.ahp('host', 'stop')).out).toBe('stopped\n');
    expect(existsSync(join(world.dataDir, 'host.json'))).toBe(false);
    expect(await world.ahp('host', 'stop')).toMatchObject({ code: 1 });
  });

  it('knows a host that was killed from one that runs', async () => {
    const host = await world.serve();
    await host.kill();
    expect(await world.ahp('host', 'status')).toMatchObject({ code: 1, out: expect.stringContaining('ended without') });
    // The number of the process belongs to somebody else by now.
    const stale = JSON.parse(readFileSync(join(world.dataDir, 'host.json'), 'utf8'));
    writeFileSync(join(world.dataDir, 'host.json'), JSON.stringify({ ...stale, pid: process.pid }));
    expect(await world.ahp('host', 'stop')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no host is running'),
    });
  });

  it('says what the log says when a host does not start', async () => {
    const ran = await world.ahp('host', 'start', '--root', '/nonexistent/folder');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('there is no folder /nonexistent/folder') });
  });

  it('starts one for a run when asked to', async () => {
    // Another host may have the usual port on this machine, so a free one is found by trying.
    const ran = await world.ahp('run', '--start', '/say started for you');
    if (ran.code !== 0) expect(ran.err).toContain('the host did not start');
    else expect(ran.out).toBe('started for you\n');
  });

  it('gives hosts names, and lists sessions of all of them', async () => {
    const host = await world.serve();
    const other = new AhpWorld();
    try {
      const { url } = await other.serve();
      await other.session('/title In the other\n/say x');
      await world.session('/title In this one\n/say x');
      const token = join(other.dataDir, 'token');
      expect((await world.ahp('host', 'add', 'other', url, '--token-file', token)).code).toBe(0);
      expect((await world.ahp('host', 'list')).out).toContain(`other  ${url}`);
      expect((await world.ahp('ls', '--host', 'other')).out).toContain('In the other');
      const all = (await world.ahp('ls', '--all-hosts')).out;
      expect(all).toMatch(/^other .*In the other/m);
      expect(all).toMatch(/^local .*In this one/m);
      const env = { AHP_HOST: host.url, AHP_TOKEN: host.token };
      expect((await world.ahpWith({ env }, 'ls')).out).toContain('In this one');
      expect((await world.ahp('host', 'remove', 'other')).code).toBe(0);
      expect(await world.ahp('ls', '--host', 'other')).toMatchObject({ code: 2 });
      writeFileSync(join(world.folder, 'config', 'ahp', 'config.json'), '{ "hosts": [');
      expect(await world.ahp('host', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('not JSON') });
    } finally {
      await other.end();
    }
  });

  it('is found by its unix socket', async () => {
    await world.serve('--socket', join(world.folder, 'host.sock'));
    const doctor = JSON.parse((await world.ahp('doctor', '--json')).out);
    expect(doctor).toContainEqual(
      expect.objectContaining({ name: 'host', state: 'good', found: expect.stringContaining('unix:') }),
    );
  });
});

describe('looking around', () => {
  it('lists agents and versions, and checks the installation', async () => {
    await world.serve();
    expect((await world.ahp('agents')).out).toMatch(/^demo {2}Demo/);
    expect(JSON.parse((await world.ahp('versions', '--json')).out)).toMatchObject({
      protocol: '0.4.0',
      host: { build: { name: 'ahpd' } },
    });
    const good = await world.ahp('doctor');
    expect(good.out).not.toContain('FAIL');
    expect(good.code).toBe(0);
    const bad = await world.ahp('doctor', '--data-dir', join(world.folder, 'nowhere'));
    expect(bad.out).toContain('fix: Start one with: ahp host start');
    expect(bad.code).toBe(1);
  });

  it('shows the wire without secrets', async () => {
    await world.serve();
    const id = await world.session('/say x');
    const child = spawn(process.execPath, [AHP_BIN, 'watch', id, '--json'], { cwd: world.work, env: world.env });
    const seen: string[] = [];
    const subscribed = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        seen.push(line);
        if (line.includes('"direction":"in"') && line.includes('hunter2')) resolve();
        if (line.includes('chat/turnComplete')) resolve();
      });
    });
    const secret = 'Authorization: Bearer abcdef0123456789';
    await world.ahp('send', id, '--wait', `/say ${secret}`);
    await subscribed;
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    const messages = seen.map((line) => JSON.parse(line));
    expect(messages.some(({ message }) => message.method === 'initialize')).toBe(true);
    expect(seen.join('\n')).toContain('Bearer [hidden]');
    expect(seen.join('\n')).not.toContain('abcdef0123456789');
  });
});

describe('ahp completion', () => {
  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
  const complete = async (shell: string, args: string[], script: string) => {
    const file = join(world.folder, `completion.${shell}`);
    writeFileSync(file, (await world.ahp('completion', shell)).out);
    const ran = spawnSync(shell, [...args, '-c', script.replace('FILE', file)], { encoding: 'utf8', env: world.env });
    expect(ran.stderr).toBe('');
    return ran.stdout;
  };

  it.skipIf(!has('bash'))('works in bash', async () => {
    const ask = (words: string) =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _ahp; echo "\${COMPREPLY[@]}"`;
    const script = `source FILE; ${ask('ahp host st')}; ${ask('ahp dif')}; ${ask('ahp diff --st')}`;
    expect(await complete('bash', ['--norc'], script)).toBe('start stop status\ndiff\n--stat\n');
  });

  it.skipIf(!has('zsh'))('works in zsh', async () => {
    const dump = join(world.folder, 'zcompdump');
    const script = `autoload -Uz compinit; compinit -u -d ${dump}; source FILE
      _describe() { print -l -- \${choices%%:*} }
      words=(ahp host st); CURRENT=3; _ahp`;
    expect((await complete('zsh', ['-f'], script)).split('\n')).toEqual(
      expect.arrayContaining(['start', 'stop', 'status']),
    );
  });

  it.skipIf(!has('fish'))('works in fish', async () => {
    const out = await complete(
      'fish',
      ['--no-config'],
      'source FILE; complete -C "ahp host st"; complete -C "ahp diff --st"',
    );
    expect(out.split('\n').map((line) => line.split('\t', 1)[0])).toEqual(['start', 'status', 'stop', '--stat', '']);
  });

  it('refuses other shells', async () => {
    expect(await world.ahp('completion', 'tcsh')).toMatchObject({ code: 2 });
  });
});

describe('help', () => {
  it('is there for every command, with examples', async () => {
    const { out } = await world.ahp('--help');
    const names = [...out.matchAll(/^ {2}([a-z]+) .*$/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help' && name !== 'ahp');
    expect(names).toHaveLength(29);
    for (const name of names) {
      const help = await world.ahp(name ?? '', '--help');
      expect(help.code).toBe(0);
      expect(help.out).toContain('Examples:\n  ahp');
    }
  });
});
