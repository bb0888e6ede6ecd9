import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommand } from '../host/processes.mjs';
import { fill } from '../host/start.mjs';
import { batchesFor, chatPut, chatUris, storeWithSessions } from '../store/samples.mjs';
import { atSizes, best } from './best.mjs';

/** Stored sessions. */
export function sessions(smoke) {
  const sizes = smoke ? [5, 10] : [100, 1_000, 10_000, 40_000];
  return [
    row('list them', 1, sizes, (size) => withStore(size, ({ store }) => best(12, () => store.sessions.list()))),
    row('append 16 actions to one', 0, sizes, (size) => withStore(size, ({ append }) => best(200, append))),
    ...(smoke ? [] : [row('start of the host', 0, sizes, coldStart)]),
  ];
}

function row(name, growsAtMost, sizes, cost) {
  return { name: `scaling with stored sessions: ${name}`, growsAtMost, grow: () => atSizes(sizes, cost) };
}

async function withStore(count, run) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  const store = storeWithSessions(join(folder, 'sessions.db'), count);
  try {
    const [chat] = chatUris(1);
    store.commit({ channels: [chatPut(chat)] });
    const batches = batchesFor([chat], 16);
    return await run({ store, append: () => store.commit({ log: batches.next() }) });
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function coldStart(count) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  fill(folder, count);
  let host;
  const ms = await best(
    5,
    async () => {
      host = await startCommand(folder);
    },
    () => host?.stop(),
  );
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
  return ms;
}
