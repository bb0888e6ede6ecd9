import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { FakeModel } from '../support/fake-model.js';

let world: CliWorld;
let model: FakeModel;
beforeEach(async () => {
  world = new CliWorld();
  model = await FakeModel.start();
  const local = { type: 'model', api: 'openai', baseURL: model.baseURL, models: ['m1', 'm2'] };
  writeFileSync(join(world.folder, 'host-config.json'), JSON.stringify({ agents: { local } }));
  await world.serve('--config', join(world.folder, 'host-config.json'));
});
afterEach(async () => {
  await world.end();
  await model.close();
});

it('runs a session with the model that was asked for, and goes on with it', async () => {
  const ran = await world.moorage('run', '--agent', 'local', '--model', 'm2', 'Hello');
  expect([ran.code, model.requests.at(-1)?.model]).toEqual([0, 'm2']);
  const [{ resource }] = JSON.parse((await world.moorage('ls', '--json')).out);
  const id = String(resource).slice('ahp-session:/'.length);
  expect((await world.moorage('show', id)).out).toMatch(/^agent +local, m2$/m);
  expect((await world.moorage('send', id, '--wait', 'And now?')).code).toBe(0);
  expect(model.requests.at(-1)?.model).toBe('m2');
  expect((await world.moorage('export', id)).out).toContain('- Agent: local, m2\n');
});
