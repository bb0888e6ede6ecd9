import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomId } from '@moorage/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeAll(async () => {
  world = new CliWorld();
  await world.serve();
});
afterAll(() => world.end());

/** The id of the session that a terminal says it started. */
function idIn(raw: string): string {
  return /session ([0-9a-f]{8})/.exec(raw)?.[1] ?? '';
}

describe('moorage run in a terminal', () => {
  it('asks for approvals and answers in place, and shows what changed', async () => {
    const terminal = world.terminal(
      'run',
      '/write allowed.txt one\n/write refused.txt no\n/ask Which colour? | red | blue\n/say bye',
    );
    await terminal.sees('Allow it? [y/n/a(ll)]');
    terminal.type('maybe\r');
    await terminal.sees('Allow it? [y/n/a(ll)]');
    terminal.type('y\r');
    await terminal.sees('Wrote allowed.txt');
    await terminal.sees('Allow it? [y/n/a(ll)]');
    terminal.type('n\r');
    await terminal.sees('Which colour?');
    await terminal.sees('Answer');
    terminal.type('green\r');
    await terminal.sees('expected one of: red, blue');
    terminal.type('2\r');
    await terminal.sees('bye');
    await terminal.sees('1 file changed');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw).toContain('\x1b[3'); // colours, since people look
    expect(readFileSync(join(world.work, 'allowed.txt'), 'utf8')).toBe('one');
  });

  it('shows what an edit would do before it asks, and all of a long one when told so', async () => {
    writeFileSync(join(world.work, 'edited.txt'), 'kept\nold line\n');
    const many = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\\n');
    const prompt = `/replace edited.txt old line => new \x9d\u202eline\n/write many.txt ${many}\n/write wide.txt ${'x'.repeat(5_000)}end`;
    const terminal = world.terminal('run', prompt);
    await terminal.sees('M edited.txt');
    await terminal.sees('-old line');
    await terminal.sees('+new <U+009D><U+202E>line');
    await terminal.sees('Allow it? [y/n/a(ll)]');
    terminal.type('n\r');
    await terminal.sees('A many.txt');
    await terminal.sees('+line 1');
    await terminal.sees('more lines');
    await terminal.sees('Allow it? [y/n/a(ll)/v(iew all)]');
    expect(terminal.raw).not.toContain('line 100');
    terminal.type('v\r');
    await terminal.sees('+line 100');
    await terminal.sees('Allow it?');
    terminal.type('n\r');
    await terminal.sees('A wide.txt');
    await terminal.sees('/v(iew all)]');
    expect(terminal.raw).not.toContain('xend');
    terminal.type('v\r');
    await terminal.sees('xend');
    await terminal.sees('Allow it?');
    terminal.type('n\r');
    expect(await terminal.ended()).toBe(0);
  });

  it('allows everything from then on when told so', async () => {
    const terminal = world.terminal('run', '/write all-1.txt 1\n/write all-2.txt 2');
    await terminal.sees('Allow it?');
    terminal.type('a\r');
    await terminal.sees('2 files changed');
    expect(await terminal.ended()).toBe(0);
  });

  it('withdraws a question that was settled elsewhere', async () => {
    const terminal = world.terminal('run', '/write elsewhere.txt 1\n/say went on');
    await terminal.sees('Allow it?');
    expect((await world.moorage('approve', idIn(terminal.raw))).code).toBe(0);
    await terminal.sees('(settled elsewhere)');
    await terminal.sees('went on');
    expect(await terminal.ended()).toBe(0);
  });

  it('cancels the turn on Ctrl-C', async () => {
    const terminal = world.terminal('run', '/say waiting\n/wait 60000');
    await terminal.sees('waiting');
    terminal.type('\x03');
    await terminal.sees('The turn was cancelled.');
    expect(await terminal.ended()).toBe(3);
  });

  it('leaves the turn running on a second Ctrl-C', async () => {
    const terminal = world.terminal('run', '/say waiting\n/wait 60000');
    await terminal.sees('waiting');
    const pid = world.host?.pid ?? 0;
    process.kill(pid, 'SIGSTOP'); // so that the cancellation cannot be quicker than the second key
    try {
      terminal.type('\x03');
      await terminal.sees('cancelling the turn');
      terminal.type('\x03');
      await terminal.sees('moorage attach');
      expect(await terminal.ended()).toBe(4);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('leaves the turn running on Ctrl-D at a question', async () => {
    const terminal = world.terminal('run', '/ask Which colour? | red | blue');
    await terminal.sees('Answer');
    terminal.type('\x04');
    await terminal.sees('moorage attach');
    expect(await terminal.ended()).toBe(4);
  });

  it('goes on after the host was killed and started again', async () => {
    const terminal = world.terminal('run', '/ask Still there? | yes | no\n/say it went on');
    await terminal.sees('Still there?');
    await world.host?.kill();
    await world.serve(); // on another port
    await terminal.sees('connected again');
    await terminal.sees('Still there?');
    terminal.type('1\r');
    await terminal.sees('it went on');
    expect(await terminal.ended()).toBe(0);
  });

  it('has no colours with NO_COLOR', async () => {
    const { Pty } = await import('../support/pty.js');
    const { MOORAGE_BIN } = await import('../support/cli.js');
    const env = { ...world.env, NO_COLOR: '1' };
    const terminal = new Pty(process.execPath, [MOORAGE_BIN, 'ls'], { cwd: world.work, env });
    await terminal.ended();
    expect(terminal.raw).toContain('STATE');
    expect(terminal.raw).not.toContain('\x1b[');
  });
});

describe('moorage attach', () => {
  it('follows and steers one session from two terminals', async () => {
    const id = await world.session('/say the beginning');
    const one = world.terminal('attach', id);
    await one.sees('the beginning');
    const two = world.terminal('attach', id);
    await two.sees('the beginning');
    one.type('/say typed in one\r');
    await two.sees('\r\ntyped in one');
    two.type('/write shared.txt x\r');
    await one.sees('Allow it?');
    await two.sees('Allow it?');
    one.type('y\r');
    await two.sees('Wrote shared.txt');
    await one.sees('Wrote shared.txt');
    one.type('\x04');
    two.type('\x04');
    expect(await one.ended()).toBe(0);
    expect(await two.ended()).toBe(0);
  });
});

describe('moorage rm', () => {
  it('asks first', async () => {
    const id = await world.session('/say keep me');
    const no = world.terminal('rm', id);
    await no.sees('[y/N]');
    no.type('\r');
    expect(await no.ended()).toBe(1);
    const yes = world.terminal('rm', id);
    await yes.sees('[y/N]');
    yes.type('y\r');
    expect(await yes.ended()).toBe(0);
  });
});

describe('moorage term', () => {
  it('opens a terminal on the host, leaves it running and joins it again', async () => {
    const terminal = world.terminal('term', '--name', 'shell');
    terminal.type('echo "sum $((20 + 22))"\r');
    await terminal.sees('sum 42');
    terminal.type('stty size\r');
    await terminal.sees('40 120');
    terminal.type('\x1d');
    await terminal.sees('left the terminal');
    expect(await terminal.ended()).toBe(0);
    const [{ resource }] = JSON.parse((await world.moorage('term', 'ls', '--json')).out);
    const again = world.terminal('term', 'attach', 'shell');
    await again.sees('sum 42');
    again.type('echo "again $((40 + 3))"\r');
    await again.sees('again 43');
    again.type('\x1d');
    expect(await again.ended()).toBe(0);
    const id = resource.slice('ahp-terminal:/'.length);
    expect((await world.moorage('term', 'kill', id.slice(0, 8))).out).toBe('ended\n');
    expect((await world.moorage('term', 'ls')).err).toContain('No terminals');
  });

  it('is left when who holds the terminal ends it (OQ-17)', async () => {
    const holder = await world.client();
    const channel = `ahp-terminal:/${randomId()}`;
    const claim = { kind: 'client', clientId: holder.clientId } as const;
    await holder.request('createTerminal', { channel, claim, name: 'held', cwd: pathToFileURL(world.work).href });
    const watching = world.terminal('term', 'attach', 'held');
    await watching.sees('you can watch it');
    await holder.request('disposeTerminal', { channel });
    await watching.sees('the terminal was ended');
    expect(await watching.ended()).toBe(1);
  });

  it('ends with the code of its program', async () => {
    const terminal = world.terminal('term');
    terminal.type('exit 7\r');
    expect(await terminal.ended()).toBe(7);
  });

  it('wants a terminal to join one', async () => {
    expect(await world.moorage('term')).toMatchObject({ code: 2, err: expect.stringContaining('--detach') });
  });
});

describe('a connection that does not come back', () => {
  it('is told from an end of the turn, of the session and of the program', async () => {
    const { url = '', kill = async () => {} } = world.host ?? {};
    const token = join(world.folder, 'token-of-before');
    copyFileSync(join(world.dataDir, 'token'), token);
    const where = ['--host', url, '--token-file', token];
    const term = world.terminal('term', '--name', 'lost', ...where);
    term.type('echo "sum $((20 + 22))"\r');
    await term.sees('sum 42');
    const run = world.terminal('run', '/ask Still there? | yes | no', ...where);
    await run.sees('Still there?');
    const id = idIn(run.raw);
    const attached = world.terminal('attach', id, ...where);
    await attached.sees('Still there?');
    const script = world.moorage('send', id, '--wait', '--json', '/say queued', ...where);
    await world.chatHas((await world.moorage('show', id)).out.match(/[0-9a-f-]{36}/)?.[0] ?? '', '/say queued');

    await kill();
    await term.sees('the connection was lost; come back with: moorage term attach');
    expect(await term.ended()).toBe(1);
    writeFileSync(join(world.dataDir, 'token'), 'another-token-0123456789');
    await world.serve('--port', new URL(url).port);
    for (const terminal of [run, attached]) {
      await terminal.sees(`the connection was lost; come back with: moorage attach ${id}`);
      expect(await terminal.ended()).toBe(4);
    }
    expect(await script).toMatchObject({ code: 4, err: expect.stringContaining('the connection was lost') });
  });
});
