import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangesetFile, type ChangesetState, changesetUri, type SessionState } from '@moorage/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { run } from '../support/run-from-small-process.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

const NAMES = ['a.txt', 'b.txt', 'dir/a.txt', 'dir/deep/c.txt', 'with space', 'ünï'];
const name = fc.constantFrom(...NAMES);
const text = fc
  .array(fc.constantFrom('one', 'two', 'three', '', 'a longer line that weighs more'), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.join('\\n') + (lines.length % 2 ? '\\n' : ''));
const step = fc.oneof(
  fc.tuple(name, text).map(([path, content]) => `/write ${path.replace(' ', '-')} ${content}`),
  fc.tuple(name, text).map(([path, content]) => `/append ${path.replace(' ', '-')} ${content}`),
  name.map((path) => `/delete ${path.replace(' ', '-')}`),
  fc.tuple(name, name).map(([from, to]) => `/rename ${from.replace(' ', '-')} ${to.replace(' ', '-')}`),
);
const turns = fc.array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 5 }), fc.option(name)), {
  minLength: 1,
  maxLength: 4,
});

it('what a turn shows is always what git says of the files before and after it', async () => {
  const host = new TestHost({
    workspaces: workspacesIn,
  });
  await host.start();
  const client = await host.client();
  let count = 0;
  try {
    await fc.assert(
      fc.asyncProperty(turns, async (scripts) => {
        const { session, chat } = await host.session(client);
        const state = await client.subscribe<SessionState>(session);
        if (!state.changesets) await client.action(session, 'session/changesetsChanged');
        const ids: string[] = [];
        const trees: [string, string][] = [];
        for (const [script, byHand] of scripts) {
          if (byHand) writeFileSync(join(host.workspace, byHand.replaceAll('/', '-')), `by hand ${count}\n`);
          const turnId = `turn-${++count}`;
          const before = remember(host);
          const message = userMessage(['/auto on', ...script].join('\n'));
          client.dispatch(chat, { type: 'chat/turnStarted', startedAt: '2026-01-01T00:00:00.000Z', turnId, message });
          await client.envelope((e) => e.action.type === 'chat/turnComplete' && e.action.turnId === turnId);
          trees.push([before, remember(host)]);
          ids.push(turnId);
        }
        for (const [at, turnId] of ids.entries()) {
          const [before, after] = trees[at] ?? ['', ''];
          const files = await filesOf(client, changesetUri(session, { kind: 'turn', turnId }));
          expect(await describeFiles(host, client, files)).toEqual(truth(host, before, after));
        }
      }),
      { numRuns: 12 },
    );
  } finally {
    await host.dispose();
  }
}, 120_000);

async function filesOf(client: WireClient, uri: string): Promise<readonly ChangesetFile[]> {
  const state = await client.subscribe<ChangesetState>(uri);
  if (state.status === 'ready') return state.files;
  await client.envelope(
    (e) => e.channel === uri && e.action.type === 'changeset/statusChanged' && e.action.status === 'ready',
  );
  return (await client.subscribe<ChangesetState>(uri)).files;
}

/** A repository beside everything, which only the test knows. */
function git(host: TestHost, args: readonly string[]): string {
  const env = { ...process.env, GIT_DIR: join(host.folder, 'truth'), GIT_WORK_TREE: host.workspace };
  return run('git', ['-c', 'core.bare=false', ...args], { env, cwd: host.workspace }).toString();
}

function remember(host: TestHost): string {
  git(host, ['init', '-q']);
  git(host, ['add', '--all']);
  return git(host, ['write-tree']).trim();
}

function truth(host: TestHost, before: string, after: string): string[] {
  const raw = git(host, ['diff-tree', '-r', '-z', '-M', '--no-abbrev', '--raw', before, after]).split('\0');
  const counts = git(host, ['diff-tree', '-r', '-z', '-M', '--numstat', before, after]).split('\0');
  const content = (id: string) => (/^0+$/.test(id) ? undefined : git(host, ['cat-file', 'blob', id]));
  const lines: string[] = [];
  for (let at = 0, count = 0; at + 1 < raw.length; at++) {
    const [, , oldId = '', newId = '', kind = ''] = (raw[at] ?? '').split(' ');
    const from = raw[++at];
    const to = kind.startsWith('R') ? raw[++at] : from;
    const [added, removed] = (counts[count] ?? '').split('\t');
    count += kind.startsWith('R') ? 3 : 1;
    const [older, newer] = [content(oldId), content(newId)];
    lines.push(
      JSON.stringify([
        older === undefined ? null : from,
        newer === undefined ? null : to,
        Number(added),
        Number(removed),
        older ?? null,
        newer ?? null,
      ]),
    );
  }
  return lines.sort();
}

async function describeFiles(host: TestHost, client: WireClient, files: readonly ChangesetFile[]): Promise<string[]> {
  const path = (uri: string) => decodeURIComponent(uri.slice(host.workspaceUri.length + 1));
  const read = async (uri: string) => (await client.request('resourceRead', { channel: 'ahp-root://', uri })).data;
  const lines = files.map(async ({ edit: { before, after, diff } }) =>
    JSON.stringify([
      before ? path(before.uri) : null,
      after ? path(after.uri) : null,
      diff?.added,
      diff?.removed,
      before ? await read(before.content.uri) : null,
      after ? await read(after.content.uri) : null,
    ]),
  );
  return (await Promise.all(lines)).sort();
}
