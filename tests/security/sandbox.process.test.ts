import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentProvider } from '@moorage/host';
import type { SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { processesWith } from '../support/processes.js';
import { commitAll, gitIn } from '../support/repository.js';
import { CAN_CONFINE, type ProgramKind, SandboxRig, sandboxIn } from '../support/sandbox.js';
import { TestHost } from '../support/test-host.js';

const rig = new SandboxRig();
afterEach(() => rig.host.dispose());

/** The process of an agent itself, and a command that an agent runs in a terminal of the host. */
const PROGRAMS: readonly { kind: ProgramKind }[] = [{ kind: 'agent' }, { kind: 'command' }];

describe.skipIf(!CAN_CONFINE).each(PROGRAMS)('in a sandbox, what the $kind runs', ({ kind }) => {
  let outside = '';
  beforeEach(async () => {
    outside = mkdtempSync(join(tmpdir(), 'moorage-outside-'));
    await rig.start({ hosts: ['127.0.0.1:1'] });
  });
  afterEach(() => rmSync(outside, { recursive: true, force: true }));

  it('changes files in the folder of the session', async () => {
    const { code, folder } = await rig.run(kind, 'network', 'echo hi > made.txt');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('hi\n');
  });

  it('changes nothing elsewhere', async () => {
    const places = [outside, '/etc', '/usr', '/var', join(homedir(), 'new')];
    for (const place of places) {
      const { code } = await rig.run(kind, 'network', `echo escaped > ${place}/moorage-escaped`);
      // Hidden folders are empty ones of its own, so writing may work there: what counts is what is on the machine.
      expect([place, existsSync(join(place, 'moorage-escaped')), code === 0 && !place.startsWith('/tmp')]).toEqual([
        place,
        false,
        false,
      ]);
    }
  });

  it('does not see what is at home', async () => {
    const secrets = join(homedir(), '.ssh');
    mkdirSync(secrets, { recursive: true });
    writeFileSync(join(secrets, 'id_ed25519'), 'a private key');
    try {
      const { output } = await rig.run(kind, 'network', `cat ${secrets}/id_ed25519; ls -a ~; cat ~/.ssh/*`);
      expect(output).not.toContain('a private key');
      expect(output).not.toMatch(/^\.ssh$/m);
    } finally {
      rmSync(secrets, { recursive: true });
    }
  });

  it('does not follow a link to what it must not see, or change', async () => {
    writeFileSync(join(outside, 'secret'), 'a secret');
    symlinkSync(outside, join(rig.host.workspace, 'link'));
    symlinkSync('/etc', join(rig.host.workspace, 'etc'));
    const { output } = await rig.run(
      kind,
      'network',
      'cat link/secret; echo x > link/new; echo x > etc/moorage-escaped',
    );
    expect(output).not.toContain('a secret');
    expect(existsSync(join(outside, 'new'))).toBe(false);
    expect(existsSync('/etc/moorage-escaped')).toBe(false);
  });

  it('sees no process of the machine, and can end none', async () => {
    const victim = spawn('sleep', ['600']);
    try {
      const { output, code } = await rig.run(
        kind,
        'network',
        `cat /proc/${victim.pid}/cmdline; grep -l moorage-no-such-thing /proc/[0-9]*/cmdline; ls /proc | grep -c '^[0-9]'; kill -9 ${victim.pid}`,
      );
      expect(code).not.toBe(0);
      expect(output).not.toContain('sleep');
      expect(victim.exitCode ?? victim.signalCode).toBeNull();
      expect(Number(/^(\d+)$/m.exec(output)?.[1])).toBeLessThan(20);
    } finally {
      await ended(victim);
    }
  });

  it('cannot read the memory or the files of the host through /proc', async () => {
    const { output } = await rig.run(
      kind,
      'network',
      `cat /proc/${process.pid}/environ; ls /proc/${process.pid}/root/`,
    );
    expect(output).toMatch(/No such file/);
  });

  it("does not see the host's data", async () => {
    writeFileSync(join(rig.host.folder, 'token'), 'the-token-of-the-host');
    const { output } = await rig.run(
      kind,
      'network',
      `cat ${rig.host.folder}/token ${rig.host.folder}/store.sqlite; ls ${rig.host.folder}`,
    );
    expect(output).not.toContain('the-token-of-the-host');
    expect(output).not.toContain('store.sqlite\n');
  });

  it('has no secret of the host in its environment', async () => {
    process.env.SOMEBODYS_API_KEY = 'a-key-of-somebody';
    try {
      const { output } = await rig.run(kind, 'network', 'env');
      expect(output).not.toContain('a-key-of-somebody');
      expect(output).toMatch(/^PATH=/m);
    } finally {
      delete process.env.SOMEBODYS_API_KEY;
    }
  });

  it('reaches the network, unless it may not', async () => {
    const { port, close } = await pageOnLoopback('hello from the host');
    try {
      const get = `node -e "require('http').get('http://127.0.0.1:${port}/', r => r.pipe(process.stdout)).on('error', e => console.log(e.code))"`;
      expect((await rig.run(kind, 'network', get)).output).toContain('hello from the host');
      expect((await rig.run(kind, 'offline', get)).output).toContain('ECONNREFUSED');
      expect((await rig.run(kind, 'listed', get)).output).toContain('ECONNREFUSED');
    } finally {
      await close();
    }
  });

  it('has no way around: no new mounts, no devices, no root', async () => {
    const { output } = await rig.run(
      kind,
      'network',
      `umount ${homedir()} && echo ESCAPED; mount -o remount,rw / && echo ESCAPED; unshare -Urm umount ${rig.host.folder} && echo ESCAPED; ls /dev/sda /dev/vda /dev/mem && echo ESCAPED; cat /etc/shadow | grep -q . && echo ESCAPED; true`,
    );
    expect(output).not.toContain('ESCAPED');
  });

  it('uses git in a work tree, but does not change what git runs', async () => {
    writeFileSync(join(rig.host.workspace, 'a.txt'), 'a\n');
    commitAll(rig.host.workspace);
    const { output, code, folder } = await rig.run(
      kind,
      'network',
      'echo b > b.txt && git add b.txt && git -c user.name=A -c user.email=a@b commit -q -m "in the sandbox" && git log --format=%s -1 && git switch -q -c other',
      { isolation: 'worktree' },
    );
    expect([output, code]).toEqual(['in the sandbox\n', 0]);
    expect(gitIn(folder, 'log', '--format=%s', '-1')).toBe('in the sandbox');
    expect(gitIn(folder, 'branch', '--show-current')).toBe('other');
    const admin = gitIn(folder, 'rev-parse', '--absolute-git-dir');
    const common = join(rig.host.workspace, '.git');
    const attempts = [
      `echo x >> ${common}/config`,
      `echo x > ${common}/hooks/pre-commit`,
      `echo x > ${common}/commondir`,
      `echo x > ${admin}/commondir`,
      `echo x > ${admin}/gitdir`,
      `mv ${common} ${common}2`,
      'rm .git && mkdir .git',
      'git config core.fsmonitor /bin/false',
    ];
    for (const attempt of attempts) {
      const tried = await rig.run(kind, 'network', attempt, { isolation: 'worktree' });
      expect([attempt, tried.code === 0]).toEqual([attempt, attempt.includes(admin) ? expect.anything() : false]);
    }
    expect(readFileSync(join(admin, 'commondir'), 'utf8')).toBe('../..\n');
    expect(existsSync(join(common, 'commondir'))).toBe(false);
    expect(existsSync(join(common, 'hooks/pre-commit'))).toBe(false);
    expect(readFileSync(join(common, 'config'), 'utf8')).not.toMatch(/^x$|fsmonitor/m);
  });

  it('only reads the git folder of the session itself', async () => {
    writeFileSync(join(rig.host.workspace, 'a.txt'), 'a\n');
    commitAll(rig.host.workspace);
    const attempts = [
      'echo x >> .git/config',
      'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit',
      'mv .git .git2',
      'rm -rf .git',
      'echo x > .git/commondir',
    ];
    for (const attempt of attempts) expect((await rig.run(kind, 'network', attempt)).code).not.toBe(0);
    const { output } = await rig.run(kind, 'network', 'echo b > a.txt; git status --short a.txt; git log --format=%s');
    expect(output).toBe(' M a.txt\nstart\n');
    expect(gitIn(rig.host.workspace, 'fsck', '--no-dangling')).toBe('');
  });

  it('is not led to another repository by a file that it wrote', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'moorage-private-'));
    try {
      writeFileSync(join(elsewhere, 'secret'), 'private history');
      commitAll(elsewhere);
      writeFileSync(join(rig.host.workspace, '.git'), `gitdir: ${elsewhere}/.git\n`);
      const { output } = await rig.run(kind, 'network', `git log; ls ${elsewhere}; git show HEAD:secret`);
      expect(output).not.toMatch(/private history|start/);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('is not shown what a link leads to that it made itself', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'moorage-private-'));
    const path = process.env.PATH;
    try {
      writeFileSync(join(elsewhere, 'secret'), 'a secret');
      commitAll(elsewhere);
      symlinkSync(join(elsewhere, '.git'), join(rig.host.workspace, '.git'));
      mkdirSync(join(rig.host.workspace, 'bin'));
      symlinkSync(join(elsewhere, 'secret'), join(rig.host.workspace, 'bin/node'));
      process.env.PATH = `${join(rig.host.workspace, 'bin')}:${path}`;
      const { output } = await rig.run(kind, 'network', `cat ${elsewhere}/secret; git log; ls ${elsewhere}/.git`);
      expect(output).not.toMatch(/a secret|start|HEAD$/m);
    } finally {
      process.env.PATH = path;
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('shares temporary files with the other programs of its session only', async () => {
    const { output } = await rig.run(
      kind,
      'network',
      'echo "$TMPDIR"; echo x > "$TMPDIR/shared" && cat "$TMPDIR/shared"',
    );
    expect(output).toMatch(/sandbox\/tmp-\w+\nx\n$/);
    expect((await rig.run(kind, 'network', 'ls "$TMPDIR"')).output).toBe('');
  });

  it('ends with its turn, whatever it has started', async () => {
    const made = await rig.host.session(rig.client, { provider: 'demo', config: { sandbox: 'network' } });
    const turnId = startTurn(
      rig.client,
      made.chat,
      '/auto on\n/run setsid sleep 601 & echo started > s.txt; sleep 602',
    );
    await expect.poll(() => existsSync(join(rig.host.workspace, 's.txt')), PATIENT).toBe(true);
    rig.client.dispatch(made.chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    await turnEnd(rig.client, made.chat, turnId);
    await expect.poll(() => processesWith('sleep\x00601'), PATIENT).toEqual([]);
  });
});

describe.skipIf(!CAN_CONFINE)('a session', () => {
  it('with a sandbox shows it to every client, and nobody can switch it off', async () => {
    await rig.start();
    const { session } = await rig.host.session(rig.client, { config: { sandbox: 'offline' } });
    const other = await rig.host.client();
    const { config } = await other.subscribe<SessionState>(session);
    expect(config?.values).toMatchObject({ sandbox: 'offline' });
    expect(config?.schema.properties.sandbox).toMatchObject({ enum: ['off', 'network', 'offline'] });
    other.dispatch(session, { type: 'session/configChanged', config: { sandbox: 'off' } });
    await other.sync();
    expect((await other.subscribe<SessionState>(session)).config?.values).toMatchObject({ sandbox: 'offline' });
  });

  it('has the sandbox that is usual on its host, and a fork that of its session', async () => {
    await rig.start({ usual: 'network' });
    const usual = await rig.host.session(rig.client);
    expect((await rig.client.subscribe<SessionState>(usual.session)).config?.values).toMatchObject({
      sandbox: 'network',
    });
    const strict = await rig.host.session(rig.client, { config: { sandbox: 'offline' } });
    const turnId = await turn(rig.client, strict.chat, '/say hello');
    const fork = { session: strict.session, turnId };
    const forked = await rig.host.session(rig.client, { _meta: { 'moorage.fork': fork } });
    expect((await rig.client.subscribe<SessionState>(forked.session)).config?.values).toMatchObject({
      sandbox: 'offline',
    });
  });

  it('does not show an agent what its own settings have become a link to', async () => {
    const own = mkdtempSync(join(tmpdir(), 'moorage-own-'));
    const secrets = mkdtempSync(join(tmpdir(), 'moorage-secrets-'));
    try {
      writeFileSync(join(secrets, 'key'), 'a secret');
      symlinkSync(secrets, join(own, 'settings.json'));
      await rig.start({}, { writable: [own], readable: [join(own, 'settings.json')] });
      const { output } = await rig.run('agent', 'network', `cat ${secrets}/key ${own}/settings.json/key; ls -a ${own}`);
      expect(output).not.toContain('a secret');
      expect(output).toContain('settings.json');
    } finally {
      for (const folder of [own, secrets]) rmSync(folder, { recursive: true });
    }
  });

  it('does not run in a folder with something that must be hidden', async () => {
    const inner = mkdtempSync(join(tmpdir(), 'moorage-inner-'));
    try {
      await rig.start({ hidden: [inner] });
      const workingDirectories = [pathToFileURL(tmpdir()).href];
      const host = await TestHost.start({ workspace: tmpdir(), sandbox: (folder) => sandboxIn(folder) });
      const client = await host.client();
      const { chat } = await host.session(client, { config: { sandbox: 'network' }, workingDirectories });
      const turnId = startTurn(client, chat, '/auto on\n/run touch escaped');
      expect(JSON.stringify(await turnEnd(client, chat, turnId))).not.toContain('escaped');
      expect(JSON.stringify(await client.subscribe(chat))).toContain('A sandbox must hide');
      await host.dispose();
    } finally {
      rmSync(inner, { recursive: true });
    }
  });

  it('reaches the hosts that are listed, and no other', async () => {
    const listed = await pageOnLoopback('hello from the list');
    const other = await pageOnLoopback('hello from elsewhere');
    try {
      await rig.start({ hosts: [`127.0.0.1:${listed.port}`] });
      const get = (port: number) =>
        `curl -sS http://127.0.0.1:${port}/; curl -sS --proxytunnel http://127.0.0.1:${port}/`;
      expect((await rig.run('command', 'listed', get(listed.port))).output).toBe('hello from the list'.repeat(2));
      const refused = await rig.run('agent', 'listed', get(other.port));
      expect(refused.output).not.toContain('hello from elsewhere');
      expect(refused.output).toMatch(/not among the hosts[\s\S]*403/);
    } finally {
      await listed.close();
      await other.close();
    }
  });

  it('does not change its git folder through the host either', async () => {
    await rig.start();
    commitAll(rig.host.workspace);
    const { chat } = await rig.host.session(rig.client, { config: { sandbox: 'network' } });
    await turn(
      rig.client,
      chat,
      '/auto on\n/write .git/hooks/post-checkout x\n/rename .git/config moved\n/write a.txt y',
    );
    expect(existsSync(join(rig.host.workspace, '.git/hooks/post-checkout'))).toBe(false);
    expect(existsSync(join(rig.host.workspace, '.git/config'))).toBe(true);
  });
});

describe('a sandbox that cannot be had', () => {
  const asked = (sandbox: string, more = {}) =>
    rig.host.session(rig.client, { config: { sandbox }, ...more }).then(
      () => 'made',
      (error: Error) => error.message,
    );

  it('because bubblewrap is missing is refused, with what to do', async () => {
    await rig.start({ program: 'moorage-no-such-program' });
    expect(await asked('network')).toMatch(/bubblewrap is not installed.*apt-get install bubblewrap/);
    expect(await asked('off')).toBe('made');
  });

  it('because the system refuses namespaces is refused, with what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'moorage-bwrap-'));
    try {
      const program = join(folder, 'bwrap');
      const said = 'bwrap: No permissions to create new namespace';
      writeFileSync(program, `#!/bin/sh\necho "${said}" >&2\nexit 1\n`, { mode: 0o755 });
      await rig.start({ program });
      expect(await asked('offline')).toMatch(/No permissions to create new namespace.*unprivileged_userns_clone/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('because no hosts are listed is refused', async () => {
    await rig.start({ program: CAN_CONFINE ? 'bwrap' : 'moorage-no-such-program' });
    expect(await asked('listed')).toMatch(CAN_CONFINE ? /lists no hosts/ : /not installed/);
  });

  it('because there is no such kind is refused, whoever asks', async () => {
    await rig.start();
    rig.client = await rig.host.client({ program: 'somebody-elses' });
    expect(await asked('very')).toMatch(/expected one of off, network, listed, offline/);
  });

  it('because the host has none is refused', async () => {
    rig.host = await TestHost.start();
    rig.client = await rig.host.client();
    expect(await asked('network')).toMatch(/this host has none/);
  });

  it('because the agent starts programs by itself is refused', async () => {
    rig.host = await TestHost.start({ agents: [unconfinable()], sandbox: sandboxIn });
    rig.client = await rig.host.client();
    expect(await asked('network', { provider: 'free' })).toMatch(/cannot be confined|not installed/);
  });
});

function unconfinable(): AgentProvider {
  return {
    info: { provider: 'free', displayName: 'Free', description: '', models: [] },
    openChat: () => Promise.reject(new Error('not opened here')),
    dispose: async () => {},
  };
}

async function pageOnLoopback(text: string): Promise<{ port: number; close: () => Promise<void> }> {
  const server: Server = createServer((_request, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
