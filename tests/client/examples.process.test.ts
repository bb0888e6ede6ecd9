import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, randomId, sessionUri, when } from '@moorage/client';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { textOf } from '../support/actions.js';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const TOKEN = 'a long random secret';

let program: ChildProcess | undefined;
let folder = '';
afterEach(async () => {
  program?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Runs an example, and gives the port that it prints. */
async function run(name: string): Promise<number> {
  folder = await mkdtemp(join(examples, '.run-')); // here, so that it finds the packages as the example does
  const outfile = join(folder, 'example.mjs');
  const entryPoints = [join(examples, `${name}.ts`)];
  await build({ entryPoints, outfile, format: 'esm', platform: 'node', bundle: true, packages: 'external' });
  program = spawn(process.execPath, [outfile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TOKEN },
  });
  for await (const line of createInterface({ input: program.stdout as NodeJS.ReadableStream })) {
    return JSON.parse(line).port;
  }
  throw new Error('the example printed nothing');
}

describe.each(['express', 'fastify'])('a host inside %s', (name) => {
  it('serves its pages, and clients on the same port', async () => {
    const port = await run(name);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('My own page');
    const url = `ws://127.0.0.1:${port}/agents`;
    await expect(connect({ url, token: 'wrong' })).rejects.toMatchObject({ kind: 'refused', status: 401 });

    const client = await connect({ url, token: TOKEN, reconnect: false });
    const uri = sessionUri.format(randomId());
    await client.request('createSession', { channel: uri });
    const chat = await client.chat(await when(await client.session(uri), ({ defaultChat }) => defaultChat));
    expect(textOf(await (await chat.send('/say from inside')).finished())).toContain('from inside');

    const closed = new Promise<void>((resolve) => client.onStatus((status) => status === 'closed' && resolve()));
    program?.kill('SIGTERM');
    await closed;
    if (program?.exitCode === null) await once(program, 'exit');
    expect(program?.exitCode).toBe(0);
  });
});
