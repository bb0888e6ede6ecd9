import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

const world = new CliWorld();
beforeAll(async () => {
  await world.serve();
});
afterAll(() => world.end());

describe('--budget', () => {
  it('pauses a session that has used it up, and raised it goes on', async () => {
    const run = await world.moorage('run', '--budget', '100', '/title Costly\n/usage 90 20\n/wait 60000');
    expect(run.code).toBe(1);
    expect(run.err).toContain('110 of 100 tokens');
    expect((await world.moorage('show', 'Costly')).out).toMatch(/budget +100/);
    const refused = await world.moorage('send', 'Costly', '--wait', '/say no');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('used up')]);
    const raised = await world.moorage('send', 'Costly', '--budget', '500', '--wait', '/say it goes on');
    expect([raised.code, raised.out]).toEqual([0, expect.stringContaining('it goes on')]);
  });

  it.each(['much', '-5', '1e9', ''])('refuses %j', async (text) => {
    const { code, err } = await world.moorage('run', '--budget', text, '/say no');
    expect([code, err]).toEqual([2, expect.stringContaining('expected a number')]);
  });
});
