import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangesetSelector, changesetUri, fileUriIn, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { turn } from '../support/actions.js';
import type { WireClient } from '../support/wire-client.js';
import { WorktreeBench } from '../support/worktree-bench.js';

const OLD = Array.from({ length: 12 }, (_, line) => `line ${line + 1}\n`).join('');

let bench: WorktreeBench;
let client: WireClient;
let session: string;
let tree: string;
beforeEach(async () => {
  bench = new WorktreeBench();
  bench.makeRepository();
  bench.write('a.txt', OLD);
  bench.git('add', '.');
  bench.git('commit', '--quiet', '-m', 'a');
  await bench.host.start();
  client = await bench.host.client();
  const begun = await bench.session(client);
  session = begun.session;
  tree = begun.path;
  await turn(
    client,
    begun.chat,
    '/auto on\n/replace a.txt line 2\\n => two\\n\n/replace a.txt line 11\\n => eleven\\n\n/write made/new.txt new\\n',
  );
});
afterEach(() => bench.host.dispose());

const inMain = (path: string) => readFileSync(join(bench.folder, path), 'utf8');
const take = (kind: ChangesetSelector['kind'], target?: object) =>
  client.request('invokeChangesetOperation', {
    channel: changesetUri(session, { kind } as ChangesetSelector),
    operationId: 'take-along',
    ...(target && { target: target as never }),
  });
const file = (path: string) => fileUriIn(`file://${tree}`, path);
const history = async () =>
  (await client.request('moorage/listHistory', { channel: ROOT_URI, folder: bench.host.workspaceUri })).items;

it.each(['session', 'branch'] as const)(
  'takes a hunk of the %s to the main work tree, beside the work there',
  async (kind) => {
    writeFileSync(join(bench.folder, 'a.txt'), OLD.replace('line 2\n', 'mine\n'));
    const range = { start: { line: 10, character: 0 }, end: { line: 11, character: 0 } };
    await take(kind, { kind: 'range', resource: file('a.txt'), range });
    expect(inMain('a.txt')).toBe(OLD.replace('line 2\n', 'mine\n').replace('line 11', 'eleven'));
    expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe(
      OLD.replace('line 2\n', 'two\n').replace('line 11', 'eleven'),
    );
    expect((await history())[0]).toMatchObject({ operation: 'take-along', label: 'what was taken along of a.txt' });
    await client.request('moorage/undoHistoryStep', { channel: ROOT_URI, folder: bench.host.workspaceUri });
    expect(inMain('a.txt')).toBe(OLD.replace('line 2\n', 'mine\n'));
  },
);

it('takes a file, and everything, and refuses what is in the way', async () => {
  chmodSync(join(tree, 'made/new.txt'), 0o755);
  await take('branch', { kind: 'resource', resource: file('made/new.txt') });
  expect([inMain('made/new.txt'), inMain('a.txt')]).toEqual(['new\n', OLD]);
  expect(statSync(join(bench.folder, 'made/new.txt')).mode & 0o100).toBe(0o100);
  await take('branch');
  expect(inMain('a.txt')).toBe(OLD.replace('line 2\n', 'two\n').replace('line 11', 'eleven'));
  expect(bench.git('log', '--format=%s', '-1').trim()).toBe('a');
  bench.write('a.txt', OLD.replace('line 2\n', 'mine\n'));
  const refused = client.refused('invokeChangesetOperation', {
    channel: changesetUri(session, { kind: 'branch' }),
    operationId: 'take-along',
  });
  expect((await refused).message).toMatch(/a\.txt.*line 2/);
  expect(inMain('a.txt')).toBe(OLD.replace('line 2\n', 'mine\n'));
});
