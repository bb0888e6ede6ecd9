import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { connect } from '@moorage/client';
import { changesetUri } from '@moorage/protocol';

const PROGRAM = fileURLToPath(new URL('../../packages/cli/dist/moorage.js', import.meta.url));
const COUNTING = new URL('./count-calls.mjs', import.meta.url).href;
const TIMING = new URL('./time-parts.mjs', import.meta.url).href;

/** Each gives the walk of one thing through a real host that has done the same thing before: `[{ file, functions, calls }]`. */
const WALKS = {
  message: ({ walk, chat }) => walk('"chat/turnStarted"', (round) => runTurn(chat, `walk-${round}`, '/say walked')),
  edit: ({ walk, folder, shown }) =>
    walk('"changeset/fileSet"', async (round) => {
      const isShown = shown('changeset/fileSet');
      writeFileSync(join(folder, 'edited.txt'), `one\nround ${round}\n`);
      await isShown;
    }),
  revert: ({ walk, folder, client, changes, shown }) =>
    walk('"result":', async (round, counting) => {
      const file = join(folder, 'edited.txt');
      const isShown = shown('changeset/fileSet');
      writeFileSync(file, `one\nround ${round}\n`);
      await isShown;
      await counting();
      const target = { kind: 'resource', resource: pathToFileURL(file).href };
      const isGone = shown('changeset/fileRemoved');
      await client.request('invokeChangesetOperation', { channel: changes, operationId: 'revert', target });
      await isGone; // else the next round would begin in the midst of it
    }),
};

/** Two rounds that are not counted, so that what is loaded or remembered once is; then the smallest of some. */
export async function takeWalk(name, rounds) {
  const walks = await allWalks(name, COUNTING, 2, rounds);
  return walks.reduce((best, walk) => (walk.length < best.length ? walk : best));
}

/** Microseconds of the same by part, the mean of `rounds` after as many that warm it up: `[part, microseconds]`, largest first. */
export async function timeWalk(name, rounds) {
  const totals = new Map();
  for (const walk of await allWalks(name, TIMING, rounds, rounds))
    for (const [part, time] of Object.entries(walk)) totals.set(part, (totals.get(part) ?? 0) + time / rounds);
  return [...totals].sort(([, a], [, b]) => b - a);
}

async function allWalks(name, watching, unmeasured, rounds) {
  const host = await startWatched(watching);
  try {
    const walk = (until, step) => inRounds(host, until, step, unmeasured + rounds);
    return (await WALKS[name]({ ...host, walk })).slice(unmeasured);
  } finally {
    await host.stop();
  }
}

async function inRounds({ countUntil }, until, step, rounds) {
  const walks = [];
  for (let round = 0; round < rounds; round++) {
    let walked;
    const counting = async () => {
      walked = await countUntil(until);
    };
    if (step.length < 2) await counting();
    await step(round, counting);
    walks.push(await walked.walk);
  }
  return walks;
}

async function startWatched(watching) {
  const data = mkdtempSync(join(tmpdir(), 'moorage-walk-'));
  const folder = join(data, 'work');
  mkdirSync(folder);
  const git = (...args) => execFileSync('git', ['-C', folder, '-c', 'user.name=w', '-c', 'user.email=w@w', ...args]);
  git('init', '-q');
  for (const name of ['edited.txt', 'other.txt']) writeFileSync(join(folder, name), 'one\ntwo\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const args = ['--import', watching, PROGRAM, 'serve', '--port', '0', '--json', '--no-web'];
  const child = spawn(process.execPath, [...args, '--data-dir', join(data, 'data'), '--root', folder], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, token } = JSON.parse(line);
  const client = await connect({ url, token });
  const session = `ahp-session:/${crypto.randomUUID()}`;
  const workingDirectories = [pathToFileURL(folder).href];
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories });
  const mirror = await client.session(session);
  await until(mirror, () => mirror.confirmed.defaultChat && mirror.confirmed.changesets);
  const chat = await client.chat(mirror.confirmed.defaultChat);
  await runTurn(chat, 'first', '/auto on\n/write other.txt changed');
  const changes = changesetUri(session, { kind: 'uncommitted' });
  const changeset = await client.changeset(changes);
  const ofSession = await client.changeset(changesetUri(session, { kind: 'session' }));
  for (const open of [changeset, ofSession]) await until(open, () => open.confirmed.status === 'ready');
  return {
    client,
    folder,
    chat,
    changes,
    shown: (type) =>
      new Promise((resolve) => {
        const stop = changeset.onAction(({ action }) => {
          if (action.type !== type) return;
          stop();
          resolve();
        });
      }),
    /** Resolves once the host counts; the walk itself follows. */
    async countUntil(text) {
      const messages = [];
      const walk = new Promise((resolve) => {
        child.on('message', function receive(message) {
          messages.push(message);
          if (!message.walk) return;
          child.off('message', receive);
          resolve(message.walk);
        });
      });
      child.send(text);
      while (!messages.some(({ counting }) => counting)) await once(child, 'message');
      return { walk };
    },
    async stop() {
      client.close();
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function runTurn(chat, turnId, text) {
  const message = { text, origin: { kind: 'user' } };
  await chat.dispatch({ type: 'chat/turnStarted', turnId, message, startedAt: new Date().toISOString() });
  await until(chat, () => chat.confirmed.turns.some(({ id }) => id === turnId));
}

function until(mirror, isTrue) {
  return new Promise((resolve) => {
    const check = () => {
      if (!isTrue()) return;
      stop();
      resolve();
    };
    const stop = mirror.subscribe(check);
    check();
  });
}
