import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@moorage/client';
import { gitWorkspaces, nodeClock } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHostProcess } from '../support/host-process.js';
import { descendantsOf, type ProcessId, runs } from '../support/process-tree.js';
import { isAlive } from '../support/processes.js';
import { removeFolder } from '../support/remove-folder.js';

const WAIT = { timeout: 30_000, interval: 20 };

/** Files that a look leaves to git to read. */
const MANY = 2_100;

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'starts-git-')));
  folder = join(root, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  execFileSync('git', ['-C', folder, 'init', '-q', '-b', 'main']);
});
afterEach(() => removeFolder(root));

function helpersOf(pid: number): ProcessId[] {
  return descendantsOf(pid).filter(({ command }) => command.includes('git-helper.js'));
}

describe('the process that starts git', () => {
  it('fails what it was at when it is killed, says so, and is replaced', async () => {
    const workspaces = gitWorkspaces({
      directory: join(root, 'kept'),
      clock: nodeClock,
      log: { write: () => {} },
      tracks: false,
    });
    try {
      const workspace = workspaces.open(folder);
      const first = await workspace.checkpoint({ freshness: 'exact' });
      await vi.waitUntil(() => helpersOf(process.pid).length === 1, WAIT); // a git that is just starting looks like one
      writeFileSync(join(folder, 'a.txt'), 'two\n');
      // Some of the looks have not come as far as git when it dies, and do not notice.
      await vi.waitFor(async () => {
        const looking = workspace.checkpoint({ freshness: 'exact' }).catch(String);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        for (const { pid } of helpersOf(process.pid)) process.kill(pid, 'SIGKILL');
        expect(await looking).toMatch(/the process that starts git has ended/);
      }, WAIT);
      const second = await workspace.checkpoint({ freshness: 'exact' });
      expect(await workspace.compare(first, second)).toMatchObject([{ after: { path: 'a.txt' }, added: 1 }]);
      await vi.waitUntil(() => helpersOf(process.pid).length === 1, WAIT);
    } finally {
      await workspaces.close();
    }
  });

  it('takes with it what it had started: a look that is cut off is no look', async () => {
    const workspaces = gitWorkspaces({
      directory: join(root, 'kept'),
      clock: nodeClock,
      log: { write: () => {} },
      tracks: false,
    });
    const { PATH } = process.env;
    try {
      const workspace = workspaces.open(folder);
      const first = await workspace.checkpoint({ freshness: 'exact' });
      for (let n = 0; n < MANY; n++) writeFileSync(join(folder, `${n}.txt`), 'new\n'); // a few would be read without git
      // It holds the index when the process dies that has started it, and would go on.
      const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
      const deadly = join(root, 'deadly');
      const dies = `echo $$ > '${root}/pid'; : > "$GIT_INDEX_FILE.lock"; kill -9 $PPID; sleep 600`;
      const script = `#!/bin/sh\n[ -e '${deadly}' ] && case "$*" in *--stdin*) ${dies};; esac\nexec '${real}' "$@"\n`;
      mkdirSync(join(root, 'bin'));
      writeFileSync(join(root, 'bin', 'git'), script, { mode: 0o755 });
      writeFileSync(deadly, '');
      process.env.PATH = `${join(root, 'bin')}${delimiter}${PATH}`;
      await expect(workspace.checkpoint({ freshness: 'exact' })).rejects.toThrow(
        'the process that starts git has ended',
      );
      rmSync(deadly);
      const second = await workspace.checkpoint({ freshness: 'exact' });
      expect(await workspace.compare(first, second)).toHaveLength(MANY);
      await vi.waitUntil(() => !isAlive(Number(readFileSync(join(root, 'pid'), 'utf8'))), WAIT);
    } finally {
      process.env.PATH = PATH;
      await workspaces.close();
    }
  });

  it('goes when the host is killed, and when it stops', async () => {
    for (const end of ['kill', 'stop'] as const) {
      const host = await startHostProcess(['--data-dir', join(root, 'data'), '--root', folder]);
      const client = await connect({ url: host.url, token: host.token });
      const channel = `ahp-session:/${crypto.randomUUID()}`;
      const workingDirectory = pathToFileURL(folder).href;
      await client.request('createSession', { channel, provider: 'demo', workingDirectories: [workingDirectory] });
      await vi.waitUntil(() => helpersOf(host.pid).length === 1, WAIT);
      const helpers = helpersOf(host.pid);
      client.close();
      await host[end]();
      await vi.waitUntil(() => !helpers.some(runs), WAIT);
    }
  });
});
