import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { CliWorld } from '../support/cli.js';

const world = new CliWorld();
beforeAll(async () => {
  await world.serve();
});
afterAll(() => world.end());

describe('moorage ls --search', () => {
  it('lists sessions by what was said, with some words around it, and by title', async () => {
    const said = await world.session('/title Fishing\n/say the narwhal swims');
    const titled = await world.session('/title A narwhal\n/say nothing');
    await world.session('/title Gardening\n/say tulips');
    const found = async () => {
      const rows = JSON.parse((await world.moorage('ls', '--search', 'narwhal', '--json')).out) as {
        resource: string;
      }[];
      return rows.map(({ resource }) => resource.slice('ahp-session:/'.length)).sort();
    };
    await expect.poll(found, PATIENT).toEqual([said, titled].sort());
    const { out } = await world.moorage('ls', '--search', 'narwhal swims');
    expect(out).toContain('the narwhal swims');
    expect(out).not.toContain('Gardening');
    expect(await world.moorage('ls', '--search', '"* OR x')).toMatchObject({ code: 0, out: '' });
  });
});
