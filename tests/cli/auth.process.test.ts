import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { FakeModel } from '../support/fake-model.js';

const RESOURCE = 'https://models.example/';
const TOKEN = 'canary-token-0123456789';

let world: CliWorld;
let model: FakeModel;
beforeEach(async () => {
  world = new CliWorld();
  model = await FakeModel.start();
  model.reply = ({ key }) => (key === `Bearer ${TOKEN}` ? { text: ['Welcome.'] } : { status: 401 });
  const local = {
    type: 'model',
    api: 'openai',
    baseURL: model.baseURL,
    models: ['m'],
    auth: { resource: RESOURCE, authorizationServers: ['https://login.example/'] },
  };
  writeFileSync(join(world.folder, 'host-config.json'), JSON.stringify({ agents: { local } }));
  await world.serve('--config', join(world.folder, 'host-config.json'));
});
afterEach(async () => {
  await world.end();
  await model.close();
});

function run(env: NodeJS.ProcessEnv = {}) {
  return world.moorageWith({ env }, 'run', '--agent', 'local', 'hello');
}

it('says what is needed, and gives the token of the environment with every command', async () => {
  const without = await run();
  expect([without.code, without.err]).toEqual([1, expect.stringContaining(RESOURCE)]);
  expect(JSON.parse((await world.moorage('auth', 'list', '--json')).out)).toEqual([
    { agent: 'local', resource: RESOURCE, required: true, from: ['https://login.example/'], hasToken: false },
  ]);
  expect((await world.moorage('auth', 'add', RESOURCE, '--env', 'MODELS_TOKEN')).code).toBe(0);
  expect((await world.moorage('auth', 'list')).out).toContain('$MODELS_TOKEN (empty)');
  const ran = await run({ MODELS_TOKEN: TOKEN });
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('Welcome.')]);
  const config = readFileSync(join(world.folder, 'config', 'moorage', 'config.jsonc'), 'utf8');
  expect(config).toContain('MODELS_TOKEN');
  expect(config).not.toContain(TOKEN);
  expect((await world.moorage('auth', 'remove', RESOURCE)).code).toBe(0);
  expect((await run({ MODELS_TOKEN: TOKEN })).code).toBe(1);
  expect((await world.moorage('auth', 'remove', RESOURCE)).code).toBe(2);
});

it('keeps a token from standard input for the user alone', async () => {
  const added = await world.moorageWith({ input: `${TOKEN}\n` }, 'auth', 'add', RESOURCE);
  expect([added.code, added.out.includes(TOKEN)]).toEqual([0, false]);
  const folder = join(world.folder, 'config', 'moorage', 'tokens');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect((await run()).out).toContain('Welcome.');
  expect(world.host?.stderr()).not.toContain(TOKEN);
  await world.moorage('auth', 'remove', RESOURCE);
  expect(readdirSync(folder)).toEqual([]);
  expect((await world.moorageWith({ input: '' }, 'auth', 'add', RESOURCE)).code).toBe(2);
});
