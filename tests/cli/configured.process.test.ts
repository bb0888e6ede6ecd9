import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseJsonc } from '../../packages/cli/src/jsonc.js';
import { readConfig } from '../../packages/cli/src/serve/config.js';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
let file: string;
beforeAll(() => {
  world = new CliWorld();
  file = join(world.folder, 'config', 'moorage', 'config.jsonc');
});
afterAll(() => world.end());

it('makes a configuration file with the first agent, and the host offers it', async () => {
  const added = await world.moorage('agents', 'add', 'mine', '--pass-env', 'MINE_KEY', '--', 'my-agent', '--acp');
  expect(added).toMatchObject({ code: 0, out: expect.stringContaining(`added mine in ${file}`) });
  await world.moorage('agents', 'add', 'local', '--url', 'http://127.0.0.1:9/v1', '--model', 'a', '--model', 'b');
  await world.moorage('agents', 'add', 'listed', '--url', 'http://127.0.0.1:9/v1');
  await world.moorage('mcp', 'add', 'files', '--env', 'A=b=c', '--', 'mcp-files', '--read', '.');
  await world.moorage('mcp', 'add', 'issues', '--url', 'https://mcp.example/mcp', '--header', 'X-Team: docs');
  expect(parseJsonc(file, readFileSync(file, 'utf8'))).toEqual({
    agents: {
      mine: { type: 'acp', command: 'my-agent', args: ['--acp'], passEnv: ['MINE_KEY'] },
      local: { type: 'model', api: 'openai', baseURL: 'http://127.0.0.1:9/v1', models: ['a', 'b'] },
      listed: { type: 'model', api: 'openai', baseURL: 'http://127.0.0.1:9/v1' },
    },
    mcpServers: {
      files: { command: 'mcp-files', args: ['--read', '.'], env: { A: 'b=c' } },
      issues: { url: 'https://mcp.example/mcp', headers: { 'X-Team': 'docs' } },
    },
  });
  await world.moorage('host', 'start', '--root', '.', '--port', '0');
  const agents = JSON.parse((await world.moorage('agents', '--json')).out) as { provider: string; state: string }[];
  expect(agents.find(({ provider }) => provider === 'local')).toMatchObject({ state: 'ready' });
  expect(agents.find(({ provider }) => provider === 'mine')).toMatchObject({ state: 'not installed' });
  await world.moorage('host', 'stop');
});

it('keeps the comments of the file, and removes what it added', async () => {
  mkdirSync(join(world.folder, 'config', 'moorage'), { recursive: true });
  const text =
    '{\n  // my folders\n  "roots": ["."], // here\n  "mcpServers": {\n    // docs\n    "a": { "command": "a" }\n  }\n}\n';
  writeFileSync(file, text);
  await world.moorage('mcp', 'add', 'b', '--', 'b');
  const changed = readFileSync(file, 'utf8');
  for (const comment of ['// my folders', '// here', '// docs']) expect(changed).toContain(comment);
  expect((await world.moorage('mcp', 'list')).out).toBe('a  a\nb  b\n');
  expect((await world.moorage('mcp', 'remove', 'b')).code).toBe(0);
  expect(parseJsonc(file, readFileSync(file, 'utf8'))).toEqual(parseJsonc(file, text));
});

it.each([
  ['neither a command nor an address', ['agents', 'add', 'x'], 'moorage agents add NAME -- COMMAND'],
  ['both of them', ['mcp', 'add', 'x', '--url', 'https://x.example/', '--', 'x'], 'moorage mcp add NAME --url URL'],
  [
    'a model without a name',
    ['agents', 'add', 'x', '--url', 'http://127.0.0.1:9/', '--model', ''],
    'x.models: expected',
  ],
  ['the name of the demo agent', ['agents', 'add', 'demo', '--', 'x'], 'demo: expected another name'],
  ['a variable without a value', ['mcp', 'add', 'x', '--env', 'A', '--', 'x'], 'must be NAME=VALUE'],
  ['what is not there', ['agents', 'remove', 'nobody'], 'there is no agents.nobody'],
])('refuses %s, and changes nothing', async (_what, args, hint) => {
  const before = readFileSync(file, 'utf8');
  expect(await world.moorage(...args)).toMatchObject({ code: 2, err: expect.stringContaining(hint) });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('prints and writes a file with all that can be set, which changes nothing until a comment is removed', async () => {
  const { out } = await world.moorage('config');
  expect(parseJsonc('printed', out)).toEqual({});
  // Each setting that is shown is one that the host takes, and none is missing.
  const settings = out.replace(/^( *)\/\/ (?=[ "\]}])/gm, '$1');
  const every = join(world.folder, 'every.jsonc');
  writeFileSync(every, settings.replace('"~/src"', JSON.stringify(world.work)).replace('"~/src/ours"', '"."'));
  const keys = Object.keys(parseJsonc(every, readFileSync(every, 'utf8')) as object);
  expect(() => readConfig(every)).not.toThrow();
  writeFileSync(every, '{ "unknown": 1 }');
  const known = /one of the keys (.*)/.exec(refusalOf(() => readConfig(every)))?.[1]?.split(', ');
  expect(keys.sort()).toEqual(known?.sort());

  const before = readFileSync(file, 'utf8');
  expect(await world.moorage('config', 'init')).toMatchObject({
    code: 2,
    err: expect.stringContaining('already there'),
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
  rmSync(file);
  expect(await world.moorage('config', 'init')).toMatchObject({ code: 0, out: expect.stringContaining(file) });
  expect((await world.moorage('config', 'path')).out).toBe(`${file}\n`);
  expect(readFileSync(file, 'utf8')).toBe(out);
  await world.moorage('mcp', 'add', 'b', '--', 'b');
  const added = readFileSync(file, 'utf8');
  expect(parseJsonc(file, added)).toEqual({ mcpServers: { b: { command: 'b' } } });
  for (const line of out.split('\n')) expect(added).toContain(line.trim());
});

function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was refused');
}

it('serve prints every root, and says which option helps when its port is taken', async () => {
  const other = join(world.folder, 'other');
  mkdirSync(other);
  const terminal = world.terminal('serve', '--port', '0', '--root', world.work, '--root', other);
  await terminal.sees('WebSocket');
  await terminal.sees(`Sessions in ${world.work}`);
  await terminal.sees(other);
  const port = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(terminal.raw)?.[1] ?? '';
  const second = await world.moorage('serve', '--port', port, '--data-dir', join(world.folder, 'second'));
  expect(second).toMatchObject({
    code: 1,
    err: expect.stringMatching(/another process listens there\n.*--port NUMBER/),
  });
  terminal.type('\x03');
  await terminal.ended();
});
