import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { foreignHost } from '../support/foreign-host.js';

let world: CliWorld;
beforeAll(async () => {
  world = new CliWorld();
  await world.serve();
});
afterAll(() => world.end());

/** The last session that was started, by its whole id. */
async function started(prompt: string): Promise<string> {
  const { out } = await world.moorage('run', '--detach', prompt);
  return out.trim();
}

describe('moorage run as a script', () => {
  it('prints the answer and what changed, and ends with 0', async () => {
    const ran = await world.moorage('run', '--yes', '/say Hello there\n/write made.txt one');
    expect(ran.out).toContain('Hello there\n');
    expect(ran.out).toContain('* Write file: Write made.txt\n  done Wrote made.txt\n');
    expect(ran.out).toContain(' A made.txt +1 -0\n1 file changed');
    expect(ran.out).not.toContain('\x1b');
    expect(ran.code).toBe(0);
    expect(readFileSync(join(world.work, 'made.txt'), 'utf8')).toBe('one');
  });

  it('takes the prompt from standard input', async () => {
    const ran = await world.moorageWith({ input: '/say from a pipe\n' }, 'run', '-');
    expect(ran.out).toContain('from a pipe');
  });

  it('says by its code that the turn failed', async () => {
    const ran = await world.moorage('run', '/fail it broke');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('The turn failed: it broke');
  });

  it('denies everything when told so', async () => {
    const ran = await world.moorage('run', '--deny', '/write never.txt x\n/say after');
    expect(ran.out).toContain('denied');
    expect(ran.out).toContain('after');
    expect(ran.out).not.toContain('never.txt +');
  });

  it('prints envelopes and then the result, one JSON object per line', async () => {
    const { out } = await world.moorage('run', '--json', '--yes', '/say hi\n/write json.txt x');
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const types = lines.flatMap((line) => line.action?.type ?? []);
    expect(types).toEqual(expect.arrayContaining(['chat/turnStarted', 'chat/toolCallConfirmed', 'chat/turnComplete']));
    const { result } = lines.at(-1);
    expect(result).toMatchObject({ state: 'complete', changes: [{ path: 'json.txt', kind: 'created', added: 1 }] });
  });

  it.each([
    ['no prompt', ['run'], 'the prompt is empty'],
    ['two policies', ['run', '--yes', '--deny', 'x'], 'exclude each other'],
    ['an unknown option', ['run', '--nonsense'], 'nonsense'],
    ['a missing argument', ['rename'], 'moorage rename --help'],
    ['a missing argument of a command of a command', ['term', 'kill'], 'moorage term kill --help'],
    ['a token that is not there', ['auth', 'remove', 'https://x.example/'], 'moorage auth list'],
    ['an empty title', ['rename', 'any', ' '], 'say what the title is'],
    ['an unknown command', ['nonsense'], 'nonsense'],
  ])('refuses %s with code 2', async (_what, args, hint) => {
    const ran = await world.moorage(...args);
    expect(ran.err).toContain(hint);
    expect(ran.code).toBe(2);
  });

  it('names the agents that there are when one is not, and the models', async () => {
    const ran = await world.moorage('run', '--agent', 'nobody', 'x');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('it has: demo') });
    const other = await world.moorage('run', '--agent', 'demo', '--model', 'none', 'x');
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('it has: script') });
  });

  it('shows nothing that a terminal would obey', async () => {
    // Nothing that can be read is left out, or it could be used to hide what an agent does.
    const evil = '\x1b]0;owned\x07\x1b[31mred\x1b[0m\x9b2Jtext\u202e';
    const ran = await world.moorage('run', `/say ${evil}`);
    expect(ran.out).toBe('^[]0;owned^G^[[31mred^[[0m<U+009B>2Jtext<U+202E>\n');
    const log = await world.moorage('log', '--turn', '-1');
    expect([...log.out].filter((c) => c !== '\n' && (c < ' ' || (c >= '\x7f' && c <= '\x9f')))).toEqual([]);
    const json = await world.moorage('log', '--json');
    expect(json.out).toContain('\\u009b');
    expect(JSON.parse(json.out.split('\n', 1)[0] ?? '').message.text).toContain(evil);
  });
});

describe('deciding from elsewhere', () => {
  it('approves, denies and answers in sessions that wait', async () => {
    const id = await started(
      '/write approved.txt yes\n/write denied.txt no\n/ask Which colour? | red | blue\n/say end',
    );
    await world.chatHas(id, 'pending-confirmation');
    const shown = (await world.moorage('show', id)).out;
    expect(shown).toMatch(/^approval .*Write approved.txt$/m);
    expect(shown).toMatch(/^ +"path": "approved.txt"/m);
    expect(shown).toMatch(/^ +A approved.txt \+1 -0\n.*\n +\+yes$/m);
    expect((await world.moorage('approve', id.slice(0, 8))).out).toContain('approved Write file: Write approved.txt');
    await world.chatHas(id, 'Write denied.txt?');
    const denied = await world.moorage('deny', id, '--reason', 'not now', '--json');
    expect(JSON.parse(denied.out).denied).toHaveLength(1);
    await world.chatHas(id, '"questions"');
    expect(await world.moorage('answer', id, 'green')).toMatchObject({
      code: 2,
      err: expect.stringContaining('red, blue'),
    });
    expect(await world.moorage('answer', id, '2')).toMatchObject({ code: 0 });
    await world.chatHas(id, '"state":"complete"');
    const log = await world.moorage('log', id);
    expect(log.out).toContain('Write denied.txt (cancelled)');
    expect(await world.moorage('approve', id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing waits'),
    });
    expect(await world.moorage('answer', id, 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no question'),
    });
  });

  it('tells a script that waits how to go on, and goes on when somebody decided', async () => {
    const id = await world.session('/title waiting here\n/say x');
    const running = world.moorage('send', id, '--wait', '/write later.txt x');
    await world.chatHas(id, 'pending-confirmation');
    expect((await world.moorage('ls')).out).toMatch(new RegExp(`^${id.slice(0, 8)} {2}needs you .*waiting here`, 'm'));
    const newer = await world.session('/title newer\n/say x');
    const [head, first, ...others] = (await world.moorage('ls', '-n', '2')).out.trimEnd().split('\n');
    expect([head?.startsWith('ID'), first?.slice(0, 8), others]).toEqual([true, id.slice(0, 8), [expect.any(String)]]);
    expect(others[0]).toContain(newer.slice(0, 8));
    for (const filter of [['--needs-you'], ['--state', 'needs-you']]) {
      const listed = JSON.parse((await world.moorage('ls', '--json', ...filter)).out);
      expect(listed.map(({ resource }: { resource: string }) => resource)).toEqual([`ahp-session:/${id}`]);
    }
    expect((await world.moorage('ls', '--state', 'idle')).out).not.toContain('waiting here');
    expect(await world.moorage('ls', '--state', 'sleepy')).toMatchObject({ code: 2 });
    expect((await world.moorage('show', newer)).out).toMatch(
      new RegExp(`folder +${world.work}\nstarted +\\d+[sm] ago\n`),
    );
    expect((await world.moorage('approve', 'waiting here')).code).toBe(0);
    const ran = await running;
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('waiting for approval: Write file: Write later.txt');
  });

  it('sends, queues and cancels', async () => {
    const id = await started('/ask Go on? | yes');
    await world.chatHas(id, '"questions"');
    expect((await world.moorage('send', id, '/say queued one\n/wait 60000')).out).toBe('queued\n');
    const attached = world.moorage('attach', id, '--once');
    expect((await world.moorage('answer', id, 'yes')).code).toBe(0);
    await world.chatHas(id, '"content":"queued one');
    expect((await world.moorage('cancel', id)).out).toBe('cancelled\n');
    expect((await attached).out).toMatch(/> \/say queued one\n.*\nqueued one\n\[cancelled\]\n$/s);
    const sent = await world.moorage('send', id, '--wait', '/say and another');
    expect(sent).toMatchObject({ code: 0, out: 'and another\n' });
    expect(await world.moorage('cancel', id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no turn is running'),
    });
    expect(await world.moorage('send', id, '--steer', 'x')).toMatchObject({ code: 2 });
  });

  it('steers with one message after the other, and loses none', async () => {
    const id = await started('/ask Go on? | yes\n/say the end');
    await world.chatHas(id, '"questions"');
    expect((await world.moorage('send', id, '--steer', '/say the first')).out).toBe('sent to the running turn\n');
    const second = await world.moorage('send', id, '--steer', '/say the second');
    expect(second.out).toBe('sent to the running turn, with the message that waits there already\n');
    expect((await world.moorage('answer', id, 'yes')).code).toBe(0);
    await world.chatHas(id, '"state":"complete"');
    expect((await world.moorage('log', id)).out).toMatch(/the first\n.*the second\n.*the end\n/s);
  });

  it('prints and exports everything that was said: steering, attachments and what commands printed', async () => {
    const id = await started('/ask Go on? | yes\n/auto on\n/run echo "sum $((20 + 22))"\n/say the end');
    await world.chatHas(id, '"questions"');
    const client = await world.client();
    const { defaultChat = '' } = (await client.session(`ahp-session:/${id}`)).confirmed;
    const chat = await client.chat(defaultChat);
    const attachments = [{ type: 'simple' as const, label: 'notes.md', modelRepresentation: 'what I know' }];
    const message = { text: '/say steered', origin: { kind: 'user' as const }, attachments };
    await chat.dispatch({ type: 'chat/pendingMessageSet', kind: 'steering', id: 's', message });
    expect((await world.moorage('answer', id, 'yes')).code).toBe(0);
    await world.chatHas(id, '"state":"complete"');
    for (const command of ['log', 'export']) {
      const { out } = await world.moorage(command, id);
      expect(out).toContain('> /say steered');
      expect(out).toContain('> [attached: notes.md]\n> what I know');
      expect(out).toMatch(/^ +sum 42$/m);
      expect(out).toContain('the end');
    }
  });
});

describe('sessions', () => {
  it('are named by the start of their id or by their title, and an ambiguous name lists the candidates', async () => {
    const [first, second] = [await world.session('/say a'), await world.session('/say b')];
    await world.moorage('rename', first, 'Twin one');
    await world.moorage('rename', second, 'Twin two');
    const ran = await world.moorage('show', 'twin');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`${first.slice(0, 8)}  Twin one`);
    expect(ran.err).toContain(`${second.slice(0, 8)}  Twin two`);
    expect((await world.moorage('show', 'twin TWO')).out).toContain(second);
    expect((await world.moorage('show', first.slice(0, 12))).out).toContain('Twin one');
    expect(await world.moorage('show', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining('moorage ls'),
    });
  });

  it('are archived, taken back, removed', async () => {
    const id = await world.session('/title Old stuff\n/say x');
    await world.moorage('archive', id);
    expect((await world.moorage('ls')).out).not.toContain('Old stuff');
    expect((await world.moorage('ls', '--all')).out).toContain('idle, archived');
    await world.moorage('archive', id, '--undo');
    expect((await world.moorage('ls', '--here')).out).toContain('Old stuff');
    expect(await world.moorage('rm', id)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    const gone = await world.moorage('rm', id, '--yes');
    expect(gone).toMatchObject({ code: 0, err: `bring it back with: moorage restore ${id.slice(0, 8)}\n` });
    expect((await world.moorage('ls', '--all', '--json')).out).not.toContain(id);
  });

  it('are brought back by the start of their id or by their title, with all that was said', async () => {
    const id = await world.session('/title Regretted\n/say words of before');
    const other = await world.session('/title Still here\n/say x');
    expect(await world.moorage('restore', id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('was not removed'),
    });
    await world.moorage('rm', id, '--yes');

    const list = await world.moorage('restore');
    expect(list.out).toMatch(/^ID +REMOVED +KEPT UNTIL +TITLE\n/);
    expect(list.out).toMatch(new RegExp(`^${id.slice(0, 8)} +\\d+s ago +\\d{4}-\\d\\d-\\d\\d +Regretted$`, 'm'));
    expect(list.out).not.toContain('Still here');
    const [item] = JSON.parse((await world.moorage('restore', '--json')).out).filter(
      ({ summary }: { summary: { title: string } }) => summary.title === 'Regretted',
    );
    expect(item).toMatchObject({
      summary: { resource: `ahp-session:/${id}` },
      keptUntil: item.disposedAt + 30 * 86_400_000,
    });

    for (const name of ['nobody', other.slice(0, 12)]) expect((await world.moorage('restore', name)).code).toBe(1);
    expect((await world.moorage('restore', 'nobody')).err).toContain('List them with: moorage restore');
    const back = await world.moorage('restore', id.slice(0, 12));
    expect(back).toMatchObject({ code: 0, out: `restored ${id.slice(0, 8)} "Regretted"\n` });
    expect((await world.moorage('log', id)).out).toContain('words of before');
    expect((await world.moorage('send', id, '--wait', '/say words of after')).out).toBe('words of after\n');
    await world.moorage('rm', id, '--yes');
    expect(JSON.parse((await world.moorage('restore', 'regretted', '--json')).out)).toEqual({
      restored: `ahp-session:/${id}`,
    });
  });

  it('are not brought back by a host that does not know how', async () => {
    const foreign = await foreignHost();
    const asked = ['--host', foreign.url, '--token-file', join(world.dataDir, 'token')];
    expect(await world.moorage('restore', 'x', ...asked)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('this host cannot bring removed sessions back'),
    });
    expect(await world.moorage('rm', 'x', ...asked)).toMatchObject({
      code: 2,
      err: expect.stringContaining('This host cannot bring a session back.'),
    });
    foreign.close();
  });

  it('are forked after a turn', async () => {
    const id = await world.session('/say first');
    await world.moorage('send', id, '--wait', '/say second');
    const fork = (await world.moorage('fork', id, '--turn', '1')).out.trim();
    const log = await world.moorage('log', fork);
    expect(log.out).toContain('/say first');
    expect(log.out).not.toContain('second');
    expect(await world.moorage('fork', id, '--turn', '9')).toMatchObject({
      code: 2,
      err: expect.stringContaining('has 2'),
    });
  });

  it('are exported as markdown and as JSON', async () => {
    const id = await world.session('/title Export me\n/say **bold** words\n/write exported.txt x\n/spawn /say Inside');
    const file = join(world.folder, 'session.md');
    await world.moorage('export', id, '--output', file);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# Export me\n\n- Session: `ahp-session:\/.*\*\*bold\*\* words.*\n# .*\n> \/say Inside\n\nInside\n/s,
    );
    expect(await world.moorage('export', id, '-o', join(world.folder, 'nowhere', 'x'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^moorage: cannot write .*nowhere\/x: /),
    });
    const { session, chats } = JSON.parse((await world.moorage('export', id, '--format', 'json')).out);
    expect(session.title).toBe('Export me');
    expect(chats[0].turns[0].responseParts.length).toBeGreaterThan(1);
  });

  it('have comments on lines of files', async () => {
    const id = await world.session('/write commented.txt x\\ny');
    const made = await world.moorage('comment', id, 'commented.txt:1-2', 'Why', 'this?');
    expect(made.out).toMatch(/^comment [0-9a-f]{8}\n$/);
    expect((await world.moorage('comment', id)).out).toMatch(/commented\.txt:1\n {4}Why this\?/);
    await world.moorage('comment', id, '--resolve', made.out.trim().slice('comment '.length));
    expect((await world.moorage('comment', id)).out).toContain('(resolved)');
    expect(await world.moorage('comment', id, 'commented.txt:0', 'x')).toMatchObject({ code: 2 });
  });

  it('can be printed to a reader that stops reading', async () => {
    const id = await world.session('/stream 3000');
    const { spawnSync } = await import('node:child_process');
    const { MOORAGE_BIN } = await import('../support/cli.js');
    const command = `"${process.execPath}" "${MOORAGE_BIN}" log ${id} | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const ran = spawnSync('bash', ['-c', command], { cwd: world.work, env: world.env, encoding: 'utf8' });
    expect(ran.stdout).toBe('## Turn 1\n0\n');
    expect(ran.stderr).toBe('');
  });
});

describe('without a host', () => {
  it('says what to do', async () => {
    const empty = { env: { XDG_DATA_HOME: join(world.folder, 'nothing') } };
    const ran = await world.moorageWith(empty, 'ls');
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain('moorage host start');
    expect(await world.moorageWith(empty, 'ls', '--host', 'nowhere')).toMatchObject({
      code: 2,
      err: expect.stringContaining('moorage host add nowhere'),
    });
    for (const command of ['ls', 'watch']) {
      const unreachable = await world.moorageWith(empty, command, '--host', 'ws://127.0.0.1:1/');
      expect(unreachable).toMatchObject({ code: 1, err: expect.stringContaining('Check the URL') });
    }
  });

  it('takes numbers where it counts', async () => {
    const ran = await world.moorage('attach', '--turns', 'some');
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('expected a whole number') });
  });

  it('says that a token is wrong', async () => {
    const file = join(world.folder, 'wrong-token');
    writeFileSync(file, 'wrong-token-0123456789\n');
    const url = world.host?.url ?? '';
    const ran = await world.moorage('ls', '--host', url, '--token-file', file);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('refused the token') });
    expect((await world.moorage('ls', '--host', url)).err).toContain('wants a token');
  });
});
