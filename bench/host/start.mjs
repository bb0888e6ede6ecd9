import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@moorage/host';
import { median } from '../lib/fit.mjs';
import { startCommand } from './processes.mjs';

/** From the command to its ready line: with nothing stored against `node -e 0`, with many sessions against none. */
export function start(what, smoke) {
  const rounds = smoke ? 1 : 7;
  const isEmpty = what === 'empty';
  return {
    name: isEmpty ? 'cold start to the ready line' : `cold start with ${what}`,
    atMost: isEmpty ? 3 : 1.3,
    work: 1,
    async run() {
      const empty = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
      const full = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
      await ready(empty); // makes what a first start makes
      if (!isEmpty) fill(full, smoke ? 10 : 10_000);
      const baseline = [];
      const ours = [];
      for (let round = 0; round < rounds; round++) {
        baseline.push(isEmpty ? nodeAlone() : await ready(empty));
        ours.push(await ready(isEmpty ? empty : full));
      }
      for (const folder of [empty, full]) rmSync(folder, { recursive: true, force: true });
      return { baselineMs: median(baseline), oursMs: median(ours) };
    },
  };
}

function nodeAlone() {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

async function ready(folder) {
  const started = performance.now();
  const host = await startCommand(folder);
  const took = performance.now() - started;
  await host.stop();
  return took;
}

export function fill(folder, count) {
  const store = openSqliteStore({ file: join(folder, 'store.sqlite') });
  for (let index = 0; index < count; index++) {
    const uri = `ahp-session:/bench-${index}`;
    const createdAt = new Date(index).toISOString();
    const session = { provider: 'demo', title: `Session ${index}`, status: 1 };
    const summary = { ...session, resource: uri, createdAt, modifiedAt: createdAt };
    const json = JSON.stringify({ ...session, lifecycle: 'ready', activeClients: [], chats: [] });
    store.commit({
      channels: [{ uri, kind: 'session', session: uri, unsettled: false, snapshot: { seq: 0, json } }],
      summaries: [{ session: uri, modifiedAt: index, json: JSON.stringify(summary) }],
    });
  }
  store.close();
}
