import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { MOORAGE_BIN } from '../support/cli.js';
import { removeFolder } from '../support/remove-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'moorage-loaded-'));
afterEach(() => removeFolder(folder));

/** A text that only this code has, and that its bundle keeps. */
const MARKS = {
  'the NATS client': 'NoRespondersError',
  'the PostgreSQL client': 'CONNECT_TIMEOUT',
  'keys of NATS': 'crc16',
  'the fleet': 'ahp.enrol',
};

it('a host that is in no fleet loads nothing of fleets, NATS or PostgreSQL', async () => {
  const options = ['--port', '0', '--json', '--data-dir', join(folder, 'data'), '--root', folder];
  const alone = await codeLoadedBy('alone', ['serve', ...options], (line) => line.includes('"ready":true'));
  expect(alone).toContain('is running');
  for (const [what, mark] of Object.entries(MARKS)) expect([what, alone.includes(mark)]).toEqual([what, false]);
  // The same marks are found where the code is loaded, so that they would be found above.
  const joining = await codeLoadedBy('joining', ['serve', ...options, '--fleet', 'nats://127.0.0.1:1', '--enrol', 'x']);
  for (const [what, mark] of Object.entries(MARKS)) expect([what, joining.includes(mark)]).toEqual([what, true]);
});

it('a host without a provider loads nothing that speaks to one', async () => {
  const mark = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
  const options = ['serve', '--port', '0', '--json', '--data-dir', join(folder, 'data'), '--root', folder];
  const isReady = (line: string) => line.includes('"ready":true');
  expect(await codeLoadedBy('without', options, isReady)).not.toContain(mark);
  const provider = ['--oidc', 'http://127.0.0.1:1', '--oidc-client-id', 'x', '--oidc-allow', '@example.com=view'];
  expect(await codeLoadedBy('with', [...options, ...provider], isReady)).toContain(mark);
});

it('a host that starts loads nothing of MCP, of models, or of their schemas', async () => {
  const marks = ['StreamableHTTPServerTransport', 'AI_APICallError', 'ZodError'];
  const options = ['serve', '--port', '0', '--json', '--data-dir', join(folder, 'data'), '--root', folder];
  const loaded = await codeLoadedBy('started', options, (line) => line.includes('"ready":true'));
  const bundle = join(MOORAGE_BIN, '../../bundle');
  const files = readdirSync(bundle).filter((file) => file.endsWith('.js'));
  const all = files.map((file) => readFileSync(join(bundle, file), 'utf8')).join('\n');
  for (const mark of marks) expect([mark, all.includes(mark), loaded.includes(mark)]).toEqual([mark, true, false]);
});

/** All code of ours that a command loads until it ends, or until it prints such a line. */
async function codeLoadedBy(
  name: string,
  args: readonly string[],
  isEnough?: (line: string) => boolean,
): Promise<string> {
  const coverage = join(folder, name); // Node writes there which scripts a process has loaded
  const child = spawn(process.execPath, [MOORAGE_BIN, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  createInterface({ input: child.stdout }).on('line', (line) => isEnough?.(line) && child.kill('SIGTERM'));
  await new Promise((resolve) => child.once('close', resolve));
  const scripts = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url).filter((url) => /\/packages\/cli\/bundle\/[^/]+\.js$/.test(url));
  });
  expect(scripts.length).toBeGreaterThan(0);
  return [...new Set(scripts)].map((url) => readFileSync(fileURLToPath(url), 'utf8')).join('\n');
}
