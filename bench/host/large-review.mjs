import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '@moorage/client';
import { changesetUri } from '@moorage/protocol';
import { makeRepository } from '../changesets/repository.mjs';
import { startChild, startCommand } from './processes.mjs';

const MOST_MS = 50;
const LINES = 100;

/** The host as others meet it while one client opens a review in which every line of many files is another. */
export function largeReview(smoke) {
  const files = smoke ? 50 : 10_000;
  const what = `while ${files} changed files of ${LINES} lines are opened`;
  let opened;
  const figures = () => {
    opened ??= openReviews(files, smoke ? 1 : 3);
    return opened;
  };
  return [
    {
      name: `slowest ping ${what}, against ${MOST_MS} ms`,
      atMost: 1,
      work: 1,
      run: async () => ({ baselineMs: MOST_MS, oursMs: (await figures()).slowestPing }),
    },
    {
      name: `memory of the host ${what}, at its peak, against the changed contents`,
      work: 1,
      unit: 'bytes',
      run: async () => ({ baselineMs: (await figures()).contents, oursMs: (await figures()).peak }),
    },
  ];
}

async function openReviews(files, rounds) {
  const repository = makeRepository(files, { lines: LINES, edited: LINES });
  const data = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  const host = await startCommand(data, { root: repository.folder });
  const pinger = await startChild('./pinger.mjs');
  const client = await connect(host);
  try {
    const session = `ahp-session:/${crypto.randomUUID()}`;
    const workingDirectories = [pathToFileURL(repository.folder).href];
    await client.request('createSession', { channel: session, provider: 'demo', workingDirectories });
    const uri = changesetUri(session, { kind: 'uncommitted' });
    const slowest = [];
    for (let round = 0; round < rounds; round++) {
      repository.edit(files);
      await pinger.ask('start', { url: host.url, token: host.token });
      await open(client, uri, files);
      slowest.push(await pinger.ask('stop'));
    }
    // The best round: the others had a neighbour on the machine.
    return { slowestPing: Math.min(...slowest), peak: peakOf(host.pid), contents: repository.bytesOf(files) };
  } finally {
    client.close();
    await pinger.stop();
    await host.stop();
    repository.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Until every file is there with its counts. */
async function open(client, uri, files) {
  const mirror = await client.changeset(uri);
  const isComplete = () => mirror.confirmed.status === 'ready' && mirror.confirmed.files.length === files;
  await new Promise((resolve) => {
    if (isComplete()) resolve();
    mirror.subscribe(() => isComplete() && resolve());
  });
  mirror.release();
}

function peakOf(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) * 1024;
}
