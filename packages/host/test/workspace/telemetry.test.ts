import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { nodeFileLists } from '../../src/adapters/file-lists-node/index.js';
import { gitWorktrees } from '../../src/adapters/worktrees-git/index.js';
import { gitWorkspaces } from '../../src/compose/git-workspaces.js';
import { NO_TELEMETRY, type Telemetry } from '../../src/ports/telemetry.js';

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-telemetry-')));
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-folder-')));
  writeFileSync(join(folder, 'a.txt'), 'a\n');
});
afterEach(() => {
  rmSync(root, { recursive: true });
  rmSync(folder, { recursive: true });
});

function recording(): { telemetry: Telemetry; spans: string[] } {
  const spans: string[] = [];
  const telemetry: Telemetry = {
    ...NO_TELEMETRY,
    isOn: true,
    startSpan: (name, attributes) => {
      spans.push(name);
      return NO_TELEMETRY.startSpan(name, attributes);
    },
  };
  return { telemetry, spans };
}

it('each adapter tells its own listener of its git, also at the same time', async () => {
  const [one, two] = [recording(), recording()];
  const open = (name: string, telemetry: Telemetry) =>
    gitWorkspaces({ directory: join(root, name), clock: nodeClock, log: { write: () => {} }, telemetry });
  const [first, second] = [open('one', one.telemetry), open('two', two.telemetry)];
  await Promise.all([
    first.open(folder).checkpoint({ freshness: 'exact' }),
    second.open(folder).describe({ freshness: 'exact' }),
  ]);
  expect(one.spans).toContain('git write-tree');
  expect(two.spans).toContain('git init');
  expect(two.spans).not.toContain('git write-tree');
  const heard = one.spans.length;
  await second.open(folder).checkpoint({ freshness: 'exact' });
  await second.editor(folder).repository.facts();
  expect(one.spans).toHaveLength(heard);
  await Promise.all([first.close(), second.close()]);
  await expect(first.open(folder).checkpoint({ freshness: 'exact' })).rejects.toThrow('the host is stopping');
});

it('so do lists of files and work trees', async () => {
  const [lists, trees] = [recording(), recording()];
  await nodeFileLists({ telemetry: lists.telemetry }).list(folder, new AbortController().signal);
  expect(lists.spans).toEqual(['git ls-files']);
  await gitWorktrees({ directory: join(root, 'trees'), telemetry: trees.telemetry })
    .summarize(folder)
    .catch(() => undefined);
  expect(trees.spans).not.toEqual([]);
  expect(lists.spans).toHaveLength(1);
});
