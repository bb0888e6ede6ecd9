import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AhpErrorCodes, JsonRpcErrorCodes } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestHost } from '../support/test-host.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe('docs/BUILD-A-CLIENT.md', async () => {
  const text = await readFile(here('../../docs/BUILD-A-CLIENT.md'), 'utf8');
  let host: TestHost;
  let folder: string;
  beforeEach(async () => {
    host = await TestHost.start();
    folder = await mkdtemp(here('.guide-')); // here, so that it finds the packages
  });
  afterEach(async () => {
    await host.dispose();
    await rm(folder, { recursive: true });
  });

  it('has a client that runs', async () => {
    const file = join(folder, 'client.mjs');
    await writeFile(file, /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
    const env = { ...process.env, AHP_URL: host.url, MOORAGE_TOKEN: host.token };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env, timeout: 50_000 });
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe('0 sessions');
    expect(lines.filter((line) => line.startsWith('asked:'))).toEqual(['asked: What would you like?']);
    expect(stdout).toContain('Here it is.');
    expect(lines.at(-1)).toBe('complete idle');
  });

  it('lists every error code', () => {
    const listed = [...text.matchAll(/^\| (-\d+) \| `(\w+)` \|/gm)].map(([, code, name]) => [name, Number(code)]);
    expect(Object.fromEntries(listed)).toEqual({ ...JsonRpcErrorCodes, ...AhpErrorCodes });
  });
});
