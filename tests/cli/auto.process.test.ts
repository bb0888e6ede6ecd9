import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
afterEach(() => world.end());

it('moorage auto makes, shows, changes, runs, cancels and removes automations, and says what is wrong', async () => {
  await world.serve();
  const auto = (...args: string[]) => world.moorage('auto', ...args);
  expect((await auto('ls')).err).toContain('No automations yet');
  const refused = await auto('add', 'Bad', '--cron', 'whenever', '/say hi');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('"whenever" is no schedule')]);
  expect((await auto('add', 'Bad', '--on', 'fullMoon', 'x')).err).toContain('it can to: turnEnded, turnFailed');
  expect((await auto('add', 'Bad', '--missed', 'skip', 'x')).err).toContain('give it, too');
  expect((await auto('add', 'Bad', '--until', 'soon', 'x')).code).toBe(2);

  const weekday = ['--cron', '0 9 * * 1-5', '--zone', 'Europe/Berlin', '--agent', 'demo', '--after-runs', '5'];
  const { out: id, err } = await auto('add', 'Morning', ...weekday, '/say good morning');
  expect(err).toMatch(/It runs next at 20\d\d-/);
  expect((await auto('ls')).out).toMatch(/Morning\s+every weekday at 09:00 Europe\/Berlin\s+20\d\d-/);
  const ran = await auto('run', 'Morning', '--wait');
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('completed; see it with: moorage log')]);
  const show = (await auto('show', id.trim().slice(0, 6))).out;
  for (const part of ['good morning', 'after 5 runs', 'enabled', 'completed', 'request']) expect(show).toContain(part);
  const [run] = JSON.parse((await auto('runs', 'Morning', '--all', '--json')).out);
  expect((await world.moorage('log', run.primarySession)).out).toContain('good morning');
  const shown = JSON.parse((await world.moorage('show', run.primarySession, '--json')).out);
  expect(JSON.stringify(shown)).toContain('"kind":"automation"');

  await auto('edit', 'Morning', '--title', 'Question', '--no-trigger', '--forever', '/ask Which? | a | b');
  expect((await auto('ls')).out).toMatch(/Question\s+on request/);
  expect((await auto('edit', 'Question')).err).toContain('say what is to change');
  expect((await auto('disable', 'Question')).out).toContain('disabled');
  expect((await auto('cancel', 'Question')).err).toContain('nothing of it is running');
  await auto('run', 'Question');
  expect((await auto('cancel', 'Question')).out).toContain('cancelled one run');
  expect((await auto('enable', 'Question')).out).toContain('enabled');
  await auto('edit', 'Question', '/fail no luck');
  const failed = await auto('run', 'Question', '--wait', '--json');
  expect([failed.code, JSON.parse(failed.out).lifecycle.error.message]).toEqual([1, 'no luck']);
  expect((await auto('runs', 'Question')).out).toMatch(/failed .*no luck\n.*cancelled .*\n.*completed/);
  expect((await auto('rm', 'Question')).out).toContain('removed Question');
  expect((await auto('show', 'Question')).err).toContain('there is no automation "Question"');
});
