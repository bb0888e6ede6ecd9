import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type ChangesetState, changesetUri, ROOT_URI, type SessionState, sessionUri } from '@moorage/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';
import { commitAll, gitOutput } from '../support/repository.js';
import { WireClient } from '../support/wire-client.js';

let scratch: string;
let workspace: string;
let host: HostProcess;
let client: WireClient;
let session: string;
/** While this file names a moment, whoever gets there writes its process id into `reached` and waits. */
let stopAt: string;
let reached: string;

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-commit-crash-')));
  [stopAt, reached] = [join(scratch, 'stop-at'), join(scratch, 'reached')];
  // A git that can be stopped before it does something.
  const real = gitPath();
  mkdirSync(join(scratch, 'bin'));
  script(
    join(scratch, 'bin', 'git'),
    `case " $* " in
*" update-index "*"--index-info "*) ${stopIf('before staging')} ;;
*" update-ref "*) ${stopIf('before the branch is moved')} ;;
*" commit --quiet "*) ${stopIf('before git commit')} ;;
esac
exec '${real}' "$@"`,
  );
});
afterAll(() => removeFolder(scratch));

beforeEach(async () => {
  workspace = mkdtempSync(join(scratch, 'workspace-'));
  for (const name of ['mine.txt', 'other.txt']) writeFileSync(join(workspace, name), 'old\n');
  commitAll(workspace);
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@localhost');
  mkdirSync(join(workspace, '.git', 'hooks'), { recursive: true });
  script(join(workspace, '.git', 'hooks', 'pre-commit'), stopIf('in a hook before the commit'));
  script(join(workspace, '.git', 'hooks', 'post-commit'), stopIf('in a hook after the commit'));
  rmSync(reached, { force: true });
});
afterEach(async () => {
  rmSync(stopAt, { force: true });
  await host.kill();
});

const MADE = 'in a hook after the commit';
const MOVED = 'in a hook after the branch is moved';

it.each(['before the branch is moved', MOVED])(
  'puts a change into an earlier commit as a whole or not at all when the host is killed %s',
  async (moment) => {
    script(
      join(workspace, '.git', 'hooks', 'reference-transaction'),
      `[ "$1" = committed ] || exit 0\n${stopIf(MOVED)}`,
    );
    git('switch', '-q', '-c', 'work');
    for (const name of ['first', 'second']) {
      writeFileSync(join(workspace, `${name}.txt`), name);
      git('add', '.');
      git('commit', '-qm', name);
    }
    await start();
    const channel = changesetUri(session, { kind: 'uncommitted' });
    writeFileSync(join(workspace, 'mine.txt'), 'new\n');
    const [head, index] = [git('rev-parse', 'HEAD'), git('ls-files', '--stage')];
    writeFileSync(stopAt, moment);
    const target = { kind: 'resource', resource: pathToFileURL(join(workspace, 'mine.txt')).href };
    const _meta = { 'moorage.commit': git('rev-parse', 'HEAD~1').trim() };
    const answer = client.peer
      .request('invokeChangesetOperation', { channel, operationId: 'fixup', target, _meta })
      .catch(() => undefined);
    await until(() => existsSync(reached) && readFileSync(reached, 'utf8').endsWith('\n'));
    await guarded();
    await host.kill();
    await answer;
    const stopped = readFileSync(reached, 'utf8').trim().split(' ').map(Number);
    await until(() => !stopped.some(isAlive));
    rmSync(stopAt);
    await start();
    const folder = pathToFileURL(workspace).href;
    await client.refused('moorage/undoHistoryStep', { channel: ROOT_URI, folder, step: 'nothing' });
    const { items } = await client.request('moorage/listHistory', { channel: ROOT_URI, folder });
    expect(items.map(({ operation, undone }) => [operation, undone])).toEqual(
      moment === MOVED ? [['fixup', 'none']] : [],
    );
    if (moment === MOVED) {
      expect(git('show', 'HEAD~1:mine.txt')).toBe('new\n');
      expect(git('status', '--porcelain')).toBe('');
      await client.request('moorage/undoHistoryStep', { channel: ROOT_URI, folder, step: items[0]?.id ?? '' });
    }
    expect([git('rev-parse', 'HEAD'), git('ls-files', '--stage')]).toEqual([head, index]);
    expect(readFileSync(join(workspace, 'mine.txt'), 'utf8')).toBe('new\n');
  },
);

it.each(['before staging', 'before git commit', 'in a hook before the commit', MADE])(
  'leaves branch, index and files as before or as after when the host is killed %s',
  async (moment) => {
    await start();
    const channel = changesetUri(session, { kind: 'uncommitted' });
    writeFileSync(join(workspace, 'mine.txt'), 'new\n');
    writeFileSync(join(workspace, 'other.txt'), 'staged\n');
    git('add', 'other.txt');
    writeFileSync(join(workspace, 'other.txt'), 'on disk\n');
    const mine = await fileOf(channel, '/mine.txt');
    const [head, index] = [git('rev-parse', 'HEAD'), git('ls-files', '--stage')];

    writeFileSync(stopAt, moment);
    const _meta = { 'moorage.what': 'all', 'moorage.files': [mine], 'moorage.message': 'of mine' };
    const answer = client.peer
      .request('invokeChangesetOperation', { channel, operationId: 'commit', _meta })
      .catch(() => undefined);
    await until(() => existsSync(reached) && readFileSync(reached, 'utf8').endsWith('\n'));
    await guarded();
    await host.kill();
    await answer;
    // What the host had started ends with it; nothing makes the commit later on.
    const stopped = readFileSync(reached, 'utf8').trim().split(' ').map(Number);
    if (moment !== 'before staging') await until(() => !stopped.some(isAlive));
    rmSync(stopAt);

    await start();
    const folder = pathToFileURL(workspace).href;
    // A request that changes something waits for what was cut off before it.
    await client.refused('moorage/undoHistoryStep', { channel: ROOT_URI, folder, step: 'nothing' });
    const { items } = await client.request('moorage/listHistory', { channel: ROOT_URI, folder });
    if (moment === MADE) {
      expect(git('log', '--format=%s')).toBe('of mine\nstart\n');
      expect(git('show', '--name-only', '--format=', 'HEAD')).toBe('mine.txt\n');
      expect(git('diff', '--cached', '--name-only')).toBe('other.txt\n');
      const short = git('rev-parse', '--short', 'HEAD').trim();
      expect(items.map(({ label, undone }) => [label, undone])).toEqual([[`the commit ${short}`, 'none']]);
      const step = items[0]?.id ?? '';
      await client.request('moorage/undoHistoryStep', { channel: ROOT_URI, folder, step });
    } else expect(items).toEqual([]);
    expect(git('rev-parse', 'HEAD')).toBe(head);
    expect(git('ls-files', '--stage')).toBe(index);
    expect(readFileSync(join(workspace, 'mine.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(workspace, 'other.txt'), 'utf8')).toBe('on disk\n');
    expect(existsSync(join(workspace, '.git', 'index.lock'))).toBe(false);
    // And the folder can be committed now.
    await client.request('invokeChangesetOperation', { channel, operationId: 'commit', _meta });
    expect(git('show', '--name-only', '--format=', 'HEAD')).toBe('mine.txt\n');
  },
);

const git = (...args: string[]) => gitOutput(workspace, ...args);

/** Starts the host, with the session that is there or a new one. */
async function start(): Promise<void> {
  const data = `${workspace}-data`;
  const isNew = !existsSync(data);
  const PATH = `${join(scratch, 'bin')}:${process.env.PATH}`;
  host = await startHostProcess(['--data-dir', data, '--root', workspace], { PATH });
  client = await WireClient.connect({ url: host.url, token: host.token });
  if (isNew) {
    session = sessionUri.format(crypto.randomUUID());
    const workingDirectories = [pathToFileURL(workspace).href];
    await client.request('createSession', { channel: session, provider: 'demo', workingDirectories });
  }
  const state = await client.subscribe<SessionState>(session);
  if (!state.changesets) await client.action(session, 'session/changesetsChanged');
}

async function fileOf(channel: string, end: string): Promise<string> {
  for (;;) {
    const seenSoFar = client.envelopes.length; // what comes with the snapshot is news as well
    const { files } = await client.subscribe<ChangesetState>(channel);
    const file = files.find(({ id }) => id.endsWith(end));
    if (file) return file.id;
    await client.envelope(() => client.envelopes.length > seenSoFar);
  }
}

/** Shell that waits if it is at the moment that the test has named; with its own process id and its parent's. */
function stopIf(moment: string): string {
  const isHere = `[ "$(cat '${stopAt}' 2>/dev/null)" = '${moment}' ]`;
  return `if ${isHere}; then echo "$$ $PPID" > '${reached}'; while [ -e '${stopAt}' ]; do sleep 0.05; done; fi`;
}

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

function gitPath(): string {
  const folder = process.env.PATH?.split(':').find((one) => existsSync(join(one, 'git')));
  return join(folder ?? '', 'git');
}

/** A program may get here before the host, which has just started it, has told its guard so: an answer comes after that. */
async function guarded(): Promise<void> {
  await client.request('ping', { channel: ROOT_URI });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

/** A process that has ended, but that nobody has asked how, is not: when its parent is gone, the system does so at its leisure. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
