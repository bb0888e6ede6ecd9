import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, RejectedError, randomId, sessionUri, when } from '@moorage/client';
import { afterEach, beforeEach, expect, it } from 'vitest';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const text = await readFile(here('../../docs/BUILD-A-HOST.md'), 'utf8');
const program = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
const MOORAGE_TOKEN = 'owner-0123456789';
const GUEST_TOKEN = 'guest-0123456789';

let folder: string;
let host: ChildProcess;
beforeEach(async () => {
  folder = await mkdtemp(here('.guide-')); // here, so that it finds the packages
  await writeFile(join(folder, 'host.mjs'), program);
  const env = { ...process.env, MOORAGE_TOKEN, GUEST_TOKEN };
  host = spawn(process.execPath, ['host.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
});
afterEach(async () => {
  if (host.exitCode === null) host.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

it('docs/BUILD-A-HOST.md has a host that runs, lets guests only watch, and stops', async () => {
  const [url] = (await once(createInterface({ input: host.stdout as NodeJS.ReadableStream }), 'line')) as [string];
  const owner = await connect({ url, token: MOORAGE_TOKEN });
  const guest = await connect({ url, token: GUEST_TOKEN });
  const uri = sessionUri.format(randomId());
  await owner.request('createSession', { channel: uri, provider: 'demo' });
  const first = await when(await owner.session(uri), ({ defaultChat }) => defaultChat);
  const seen = await guest.chat(first);
  await expect(seen.send('/say mine')).rejects.toSatisfy(
    (error) => error instanceof RejectedError && error.reason === 'Guests can only watch.',
  );
  const turn = await (await (await owner.chat(first)).send('/say Hello')).finished();
  expect(turn.state).toBe('complete');
  owner.close();
  guest.close();
  host.kill('SIGTERM');
  expect(await once(host, 'exit')).toEqual([0, null]);
});
