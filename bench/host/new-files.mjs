import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, turnStarted } from '@moorage/client';
import { startChild, startCommand } from './processes.mjs';

const MOST_MS = 50;

/** The host as others meet it while the first turn runs in a folder with very many files that nobody has committed. */
export function newFiles(smoke) {
  const files = smoke ? 300 : 300_000;
  const what = `the first turn among ${files} untracked files`;
  let measured;
  const figures = () => {
    measured ??= firstTurn(files);
    return measured;
  };
  return [
    {
      name: `slowest ping during ${what}, against ${MOST_MS} ms`,
      atMost: 1,
      work: 1,
      run: async () => ({ baselineMs: MOST_MS, oursMs: (await figures()).slowestPing }),
    },
    {
      name: `${what}, against git status`,
      atMost: 3,
      work: 1,
      run: async () => ({ baselineMs: (await figures()).statusMs, oursMs: (await figures()).turnMs }),
    },
    {
      name: `memory of the host for ${what}, at its peak, against the same among none`,
      atMost: 2,
      work: 1,
      unit: 'bytes',
      run: async () => {
        const few = await firstTurn(0);
        return { baselineMs: few.peak, oursMs: (await figures()).peak };
      },
    },
  ];
}

async function firstTurn(files) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-bench-new-')));
  const data = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  const [warm, folder] = [join(root, 'warm'), join(root, 'folder')];
  makeFolder(warm, 0);
  makeFolder(folder, files);
  const host = await startCommand(data, { root });
  const pinger = await startChild('./pinger.mjs');
  const client = await connect(host);
  try {
    await turn(client, warm);
    const statusMs = await timeOf(() => execFileSync('git', ['-C', folder, 'status', '--porcelain', '-uall'], QUIET));
    await pinger.ask('start', { url: host.url, token: host.token });
    const turnMs = await timeOf(() => turn(client, folder));
    return { statusMs, turnMs, slowestPing: await pinger.ask('stop'), peak: peakOf(host.pid) };
  } finally {
    client.close();
    await pinger.stop();
    await host.stop();
    for (const made of [root, data]) rmSync(made, { recursive: true, force: true });
  }
}

const QUIET = { stdio: 'ignore' };

async function turn(client, folder) {
  const workingDirectories = [pathToFileURL(folder).href];
  const session = `ahp-session:/${crypto.randomUUID()}`;
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories });
  const { defaultChat } = (await client.session(session)).confirmed;
  const chat = await client.chat(defaultChat);
  const ended = new Promise((resolve) => chat.subscribe(() => chat.confirmed.turns.length > 0 && resolve()));
  const message = { text: '/auto on\n/write made.txt hello', origin: { kind: 'user' } };
  await client.dispatch(defaultChat, turnStarted('first', message));
  await ended;
  chat.release();
}

function makeFolder(folder, files) {
  mkdirSync(folder);
  const git = (...args) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], QUIET);
  git('init', '--quiet');
  writeFileSync(join(folder, 'file.txt'), 'committed\n');
  git('add', '.');
  git('commit', '--quiet', '--message=start');
  const perFolder = 1_000;
  for (let at = 0; at < files; at++) {
    const place = join(folder, 'data', String(Math.floor(at / perFolder)));
    if (at % perFolder === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `${at}.json`), `{"id":${at}}\n`);
  }
}

async function timeOf(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function peakOf(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) * 1024;
}
