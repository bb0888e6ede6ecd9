import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import { CliWorld } from '../support/cli.js';

const world = new CliWorld();
beforeAll(async () => {
  const state = join(world.folder, 'sessions.json');
  const heard = ['Paint it black'];
  writeFileSync(state, JSON.stringify({ 'one-1': { cwd: world.work, heard }, 'one-2': { cwd: world.work, heard } }));
  const { command, args } = scripted();
  const env = { SCRIPTED_STATE: state, SCRIPTED_LISTS: '1', SCRIPTED_USERS: '1' };
  const file = join(world.folder, 'host.json');
  writeFileSync(file, JSON.stringify({ agents: { scripted: { type: 'acp', command, args, env } } }));
  await world.serve('--config', file);
});
afterAll(() => world.end());

describe('moorage adopt', () => {
  it('lists what the agent did before, and continues one by the start of its id', async () => {
    const { out } = await world.moorage('adopt', '--agent', 'scripted');
    expect(out).toMatch(/one-1 .*\n.*one-2/);
    const several = await world.moorage('adopt', '--agent', 'scripted', 'one');
    expect([several.code, several.err]).toEqual([2, expect.stringContaining('2 sessions')]);
    const { out: id } = await world.moorage('adopt', '--agent', 'scripted', 'one-1');
    expect((await world.moorage('log', id.trim())).out).toContain('Paint it black');
    const { out: answer } = await world.moorage('send', id.trim(), '--wait', '/recall');
    expect(answer).toContain('I know: Paint it black | /recall');
    expect(JSON.parse((await world.moorage('adopt', '--agent', 'scripted', '--json')).out)).toHaveLength(1);
  });

  it('says what is missing or not there', async () => {
    expect(await world.moorage('adopt')).toMatchObject({ code: 2, err: expect.stringContaining('--agent') });
    expect(await world.moorage('adopt', '--agent', 'demo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no sessions'),
    });
    expect(await world.moorage('adopt', '--agent', 'scripted', 'x')).toMatchObject({ code: 2 });
  });
});
