import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../packages/cli/dist/serve/config.js';
import { CliWorld } from '../support/cli.js';
import { startHostProcess } from '../support/host-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = ['OPERATIONS', 'AGENTS', 'AUTHENTICATION', 'CUSTOMIZATIONS', 'MCP', 'MODEL-AGENT', 'WEB'];

/** Blocks marked `jsonc` are configuration files of a host. */
const configurations = PAGES.flatMap((page) =>
  blocksOf(page, 'jsonc').map((text, index) => ({ page, number: index + 1, text })),
);

describe('the configurations in the documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-docs-'));
  it.each(configurations)('number $number of $page.md is accepted', ({ text }) => {
    const file = join(folder, 'moorage.json');
    writeFileSync(file, text);
    expect(() => readConfig(file)).not.toThrow();
  });

  it('are on every page that is about configuration', () => {
    expect(new Set(configurations.map(({ page }) => page))).toEqual(new Set(PAGES));
    rmSync(folder, { recursive: true });
  });
});

describe('the backup of a running host in docs/OPERATIONS.md', () => {
  let world: CliWorld;
  beforeEach(() => {
    world = new CliWorld();
    const bin = join(root, 'packages/cli/bin/moorage.js');
    writeFileSync(join(world.folder, 'bin', 'moorage'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, {
      mode: 0o755,
    });
  });
  afterEach(() => world.end());

  it('can be restored as the page says', async () => {
    const [backup = '', restore = ''] = blocksOf('OPERATIONS', 'sh');
    const share = join(world.folder, '.local', 'share');
    const env = { HOME: world.folder, XDG_DATA_HOME: share };
    const start = async () => {
      world.host = await startHostProcess(['--data-dir', join(share, 'moorage'), '--root', world.work]);
      return world.host;
    };
    const shell = (script: string) =>
      spawnSync('bash', ['-euo', 'pipefail', '-c', script], { env: { ...world.env, ...env }, encoding: 'utf8' });

    const first = await start();
    expect(await world.moorageWith({ env }, 'run', '--yes', '/title Kept\n/write a.txt kept')).toMatchObject({
      code: 0,
    });
    expect(shell(backup)).toMatchObject({ status: 0 });
    await world.moorageWith({ env }, 'run', '--yes', '/title Later\n/write b.txt lost');
    await first.kill();
    expect(shell(restore)).toMatchObject({ status: 0 });

    const again = await start();
    expect(again.token).toBe(first.token);
    const { out } = await world.moorageWith({ env }, 'ls');
    expect(out).toContain('Kept');
    expect(out).not.toContain('Later');
    expect((await world.moorageWith({ env }, 'diff', 'Kept')).out).toContain('+kept');
  });
});

function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(`${root}docs/${page}.md`, 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}
