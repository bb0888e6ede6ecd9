import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCommandOf, configurationOf, modelServers } from '../../packages/cli/src/model-servers.js';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeAll(async () => {
  world = new CliWorld();
  await world.moorage('host', 'start', '--root', '.', '--port', '0');
});
afterAll(() => world.end());

/** Puts an ACP agent on the host's PATH that speaks a version of the protocol, and that nobody has logged in to. */
function install(name: string, protocolVersion: number): void {
  const script = `#!${process.execPath}
const answers = {
  initialize: { result: { protocolVersion: ${protocolVersion}, agentCapabilities: {}, authMethods: [{ id: 'a', name: 'Log in there' }] } },
  'session/new': { error: { code: -32000, message: 'Authentication required' } },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (answers[method]) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answers[method] }) + '\\n');
});
`;
  writeFileSync(join(world.folder, 'bin', name), script, { mode: 0o755 });
}

interface Listed {
  readonly provider: string;
  readonly state: string;
  readonly command?: string;
}

async function states(...options: string[]): Promise<Map<string, Listed>> {
  const { out } = await world.moorage('agents', '--json', ...options);
  return new Map((JSON.parse(out) as Listed[]).map((agent) => [agent.provider, agent]));
}

it('says of every known agent what it needs, and finds one that is installed later', async () => {
  const before = await states();
  expect(before.get('demo')).toMatchObject({ state: 'ready' });
  expect(before.get('claude')).toMatchObject({
    state: 'not installed',
    command: 'npm install --global @agentclientprotocol/claude-agent-acp',
  });
  install('claude-agent-acp', 1);
  install('codex-acp', 0);
  const broken = '#!/bin/sh\necho "no such setting: colour" >&2\nexit 3\n';
  writeFileSync(join(world.folder, 'bin', 'gemini'), broken, { mode: 0o755 });
  const found = new Set(['claude', 'codex', 'gemini']);
  let now = before;
  while ([...found].some((id) => now.get(id)?.state === 'not installed')) now = await states();
  const checked = await states('--check');
  expect(checked.get('claude')).toMatchObject({ state: 'not logged in', command: 'claude /login' });
  expect(checked.get('codex')).toMatchObject({
    state: 'too old',
    command: 'npm install --global @agentclientprotocol/codex-acp',
  });
  expect(checked.get('gemini')).toMatchObject({
    state: 'cannot be used',
    description: expect.stringContaining('no such setting: colour'),
  });
  const { out: log } = await world.moorage('host', 'logs');
  const failed = log.split('\n').filter((line) => line.includes('"agent.start-failed"'));
  expect(failed.map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ agent: 'gemini', stderr: 'no such setting: colour\n' }),
      expect.objectContaining({ agent: 'codex', why: expect.stringContaining('speaks version 0 of the Agent Client') }),
    ]),
  );
});

it('doctor lists the same, each with the one command that helps', async () => {
  const { out } = await world.moorage('doctor');
  expect(out).toMatch(/goose +Goose is not installed\n +fix: curl /);
  expect(out).toMatch(/opencode +opencode is not installed\n +fix: npm install --global opencode-ai\n/);
});

it('offers a model server of this machine, with what to add to the configuration', async () => {
  const server = createServer((request, response) => {
    if (request.url !== '/v1/models') return response.writeHead(404).end();
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny:1b' }, { id: 5 }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const here = { name: 'ollama', baseURL: `http://127.0.0.1:${port}/v1` };
    const found = await modelServers([here, { name: 'nobody', baseURL: `http://127.0.0.1:${port}/other` }]);
    expect(found).toEqual([{ ...here, models: ['tiny:1b'] }]);
    expect(found.map(addCommandOf)).toEqual([`moorage agents add local --url ${here.baseURL} --model tiny:1b`]);
    const hostile = { ...here, models: ['$(reboot)', '--url', 'good-1'] };
    expect(addCommandOf(hostile)).toBe(`moorage agents add local --url ${here.baseURL} --model good-1`);
    const file = join(world.folder, 'model.jsonc');
    writeFileSync(file, `{ ${found.map(configurationOf).join()}, "roots": 5 }`);
    // Everything but the deliberate mistake is right.
    const served = await world.moorage('serve', '--config', file, '--data-dir', join(world.folder, 'other'));
    expect(served.err).toMatch(/model\.jsonc:1: roots: expected/);
  } finally {
    server.close();
  }
});
