import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeAll(async () => {
  world = new CliWorld();
  await world.serve();
});
afterAll(() => world.end());

const withInput = (input: string, ...args: string[]) => world.moorageWith({ input }, ...args);

async function asking(title: string): Promise<string> {
  const { out } = await world.moorage(
    'run',
    '--detach',
    `/title ${title}\n/ask Which colour? | red | blue\n/say thanks`,
  );
  await world.chatHas(out.trim(), '"questions"');
  return out.trim();
}

it('run takes answers from a pipe, one a line, and prints what it asks to standard error', async () => {
  const prompt = '/write piped.txt one\n/ask Which colour? | red | blue\n/say thanks';
  const ran = await withInput('perhaps\ny\nblue\n', 'run', prompt);
  expect(ran.code).toBe(0);
  expect(ran.err).toMatch(
    /A piped\.txt.*Allow it\? \[y\/n.*Allow it\?.*Which colour\?\n {2}1\) red\n {2}2\) blue\nAnswer/s,
  );
  expect(ran.out).toContain('thanks');
  expect(ran.out).not.toContain('Allow it?');
  expect(readFileSync(join(world.work, 'piped.txt'), 'utf8')).toBe('one');
});

it('run ends with its input when nothing answers, says how to go on, and leaves the turn', async () => {
  const ran = await withInput('', 'run', '/write unanswered.txt one');
  expect(ran.code).toBe(4);
  expect(ran.err).toMatch(/Allow it\?.*Decide with: moorage approve \w+.*The turn goes on\./s);
});

it('attach takes an answer from a pipe, and ends when the turn does', async () => {
  const ran = await withInput('blue\n', 'attach', await asking('Answered'));
  expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('Which colour?') });
  expect(ran.out).toContain('Which colour?: blue');
  expect(ran.out).toContain('thanks');
});

it('attach ends with its input when a question stays open', async () => {
  const ran = await withInput('', 'attach', await asking('Unanswered'));
  expect(ran).toMatchObject({ code: 4, err: expect.stringContaining('Answer with: moorage answer') });
});

it('attach without any input says what the agent waits for, and follows on when somebody else answers', async () => {
  const id = await asking('Elsewhere');
  let attached: Promise<object> | undefined;
  await new Promise<void>((resolve) => {
    const onError = (text: string) => /the agent asks: Which colour/.test(text) && resolve();
    attached = world.moorageWith({ onError }, 'attach', id, '--once');
  });
  await world.moorage('answer', id, 'red');
  expect(await attached).toMatchObject({ code: 0, out: expect.stringContaining('thanks') });
});

it('send without a session takes the only one of this folder, or says what to do', async () => {
  const fresh = new CliWorld();
  try {
    await fresh.serve();
    const none = await fresh.moorage('send', 'And now the tests');
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('this folder has no session') });
    const id = await fresh.session('/title First\n/say x');
    const sent = await fresh.moorage('send', '/say to the only one');
    expect([sent.code, sent.out]).toEqual([0, 'started\n']);
    await fresh.chatHas(id, '"content":"to the only one');
    const named = await fresh.moorage('send', 'First');
    expect(named).toMatchObject({ code: 2, err: expect.stringContaining(`moorage send ${id.slice(0, 8)} "MESSAGE"`) });
    await fresh.session('/title Second\n/say x');
    const two = await fresh.moorage('send', 'And now the tests');
    expect(two).toMatchObject({ code: 2, err: expect.stringContaining('this folder has 2 sessions; name one') });
  } finally {
    await fresh.end();
  }
});

it('shows a command as a shell does before it asks, and markdown without its marks', async () => {
  const terminal = world.terminal('run', '/run echo first && echo last\n/say **done** here');
  await terminal.sees('$ echo first && echo last');
  terminal.type('n\r');
  expect(await terminal.ended()).toBe(0);
  expect(terminal.raw).toContain('\x1b[1mdone\x1b[22m here');
});

it('shows the output of a command before the command has ended', async () => {
  const { out } = await world.moorage('run', '--detach', '/auto on\n/run echo now-first; sleep 600');
  const id = out.trim();
  const attached = world.terminal('attach', id, '--once');
  await attached.sees('| now-first');
  await world.moorage('cancel', id);
  await attached.ended();
});

it('does not show again what was typed here', async () => {
  const id = await world.session('/title Echo\n/say x');
  const terminal = world.terminal('attach', id, '-n', '0');
  await terminal.sees('Type a message');
  terminal.type('/say answered-once\r');
  await terminal.sees('\nanswered-once');
  terminal.type('\x04');
  await terminal.ended();
  expect(terminal.raw.split('/say answered-once').length - 1).toBe(1);
});
