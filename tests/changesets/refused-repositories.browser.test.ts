import { appendFileSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesetState, SessionState } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { siteFolder } from '../../packages/cli/src/serve/site-folder.js';
import { webPage } from '../../packages/cli/src/serve/web-page.js';
import { ChangesBench } from '../support/changes-bench.js';
import { newSession, withBrowser } from '../support/web.js';

const inBrowser = withBrowser();
let bench: ChangesBench;
afterEach(() => bench.dispose());

const NOBODY = 65_534;

/** What git refuses, and words of its that the session passes on. Each returns how to repair it. */
const REFUSED: readonly (readonly [string, RegExp, (folder: string) => () => void])[] = [
  ['bad settings', /bad config line/, (folder) => spoil(folder, 'config', '[core\n')],
  ['an unknown extension', /unknown repository extension/, (folder) => spoil(folder, 'config', UNKNOWN_EXTENSION)],
  [
    'a corrupt index',
    /index file|bad index|signature/,
    (folder) => replace(folder, 'index', 'no index at all, but as long'),
  ],
  ...(process.getuid?.() === 0
    ? ([['another owner', /dubious ownership/, (folder: string) => own(folder, NOBODY)]] as const)
    : []),
];

const UNKNOWN_EXTENSION = '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tfuture = true\n';

function spoil(folder: string, file: string, text: string): () => void {
  const path = join(folder, '.git', file);
  const before = readFileSync(path);
  appendFileSync(path, text);
  return () => writeFileSync(path, before);
}

function replace(folder: string, file: string, text: string): () => void {
  const path = join(folder, '.git', file);
  const before = readFileSync(path);
  writeFileSync(path, text);
  return () => writeFileSync(path, before);
}

function own(folder: string, user: number): () => void {
  const paths = [folder, join(folder, '.git')];
  for (const path of paths) chownSync(path, user, user);
  return () => {
    for (const path of paths) chownSync(path, 0, 0);
  };
}

const state = () => bench.client.subscribe<SessionState>(bench.session);
const paths = ({ files }: ChangesetState) => files.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)).toSorted();

describe.each(REFUSED)('a repository with %s', (_what, words, refuse) => {
  it('is said by the session, which tracks plain files until it can be used again', async () => {
    let repair = () => {};
    bench = await ChangesBench.start({
      prepare: (it) => {
        it.commit({ 'a.txt': 'one\n' });
        repair = refuse(it.folder);
      },
    });
    const told = await state();
    expect(told._meta?.['moorage.changesProblem']).toMatch(words);
    expect(told.changesets?.[0]?.description).toMatch(words);
    const first = await bench.turn('/write a.txt two');
    expect(paths(await bench.changeset(bench.turnUri(first)))).toEqual(['a.txt']);
    expect(paths(await bench.changeset(bench.uri({ kind: 'uncommitted' })))).toEqual(['a.txt']);
    repair();
    const second = await bench.turn('/write b.txt new');
    expect(paths(await bench.changeset(bench.turnUri(second)))).toEqual(['b.txt']);
    const healed = await state();
    expect(healed._meta?.['moorage.changesProblem']).toBeUndefined();
    expect(healed.changesets?.[0]?.description).not.toMatch(words);
  });

  it('is said as well if git comes to refuse it while the session goes on', async () => {
    bench = await ChangesBench.start({ prepare: (it) => it.commit({ 'a.txt': 'one\n' }) });
    await bench.turn('/write a.txt two');
    expect((await state())._meta?.['moorage.changesProblem']).toBeUndefined();
    refuse(bench.folder);
    const turn = await bench.turn('/write b.txt new');
    expect((await state())._meta?.['moorage.changesProblem']).toMatch(words);
    expect(paths(await bench.changeset(bench.turnUri(turn)))).toEqual(['b.txt']);
  });
});

inBrowser('the page says that git refuses the repository of a session', async (on) => {
  const folder = siteFolder();
  if (folder === undefined) throw new Error('the page was not built');
  bench = await ChangesBench.start({
    http: webPage(folder),
    prepare: (it) => {
      it.commit({ 'a.txt': 'one\n' });
      spoil(it.folder, 'config', UNKNOWN_EXTENSION);
    },
  });
  const { page } = await on.page(`${bench.host.url.replace('ws:', 'http:')}#token=${bench.host.token}`);
  await newSession(page);
  await page.getByText(/changes are tracked without it/).waitFor();
});
