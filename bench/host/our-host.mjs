// A host in a process of its own, with an agent that emits text: `burst:COUNT:PER_TICK` or `steady:COUNT:PER_SECOND`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  createHost,
  createTokenCredentials,
  listenWebSocket,
  nodeClock,
  nodeFolders,
  openSqliteStore,
} from '@ahpd/host';
import { answerParent } from './child.mjs';
import { atPace, stamped } from './pace.mjs';
import { TOKEN } from './shared.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ahpd-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const store = openSqliteStore({ file: join(folder, 'ahpd.sqlite') });
const log = { write: () => {} };

const bursts = {
  info: { provider: 'burst', displayName: 'Burst', description: 'Emits text', models: [] },
  openChat: async () => ({ prompt, rewind: async () => {}, dispose: async () => {} }),
  dispose: async () => {},
};

async function prompt({ message, emit }) {
  const [, count, perTick] = message.text.split(':').map(Number);
  if (message.text.startsWith('steady')) {
    await atPace(count, perTick, () => emit({ kind: 'text', text: stamped() }));
    return { kind: 'complete' };
  }
  for (let sent = 0; sent < count; ) {
    for (let tick = 0; tick < perTick && sent < count; tick++, sent++) emit({ kind: 'text', text: TEXT });
    await new Promise(setImmediate);
  }
  return { kind: 'complete' };
}

/** Makes an envelope of about 250 bytes. */
const TEXT = 'a'.repeat(60);

const host = createHost({ store, agents: [bursts], folders: nodeFolders([folder]), log });
const { port } = await listenWebSocket({
  host: '127.0.0.1',
  port: 0,
  credentials: createTokenCredentials({ bench: TOKEN }),
  isReady: () => true,
  onClient: host.accept,
  clock: nodeClock,
  log,
});
const blocks = monitorEventLoopDelay({ resolution: 1 });
answerParent(port, {
  watchBlocks: () => blocks.enable() && blocks.reset(),
  longestBlock: () => blocks.max / 1e6,
});
