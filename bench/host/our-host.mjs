// A host in a process of its own, with an agent that emits text: `burst:COUNT:PER_TICK` or `steady:COUNT:PER_SECOND`.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openSqliteStore } from '@moorage/host';
import { runHost } from './child-host.mjs';
import { atPace, stamped } from './pace.mjs';

const bursts = {
  info: { provider: 'burst', displayName: 'Burst', description: 'Emits text', models: [] },
  openChat: async () => ({ prompt, rewind: async () => {}, dispose: async () => {} }),
  dispose: async () => {},
};

async function prompt({ turnId, message, emit }) {
  const [, count, perTick] = message.text.split(':').map(Number);
  if (message.text.startsWith('steady')) {
    await atPace(count, perTick, () => emit({ kind: 'text', text: stamped() }));
    return { kind: 'complete' };
  }
  // By turns for two calls: pieces of one text that come together would become one action.
  const calls = [1, 2].map((number) => `${turnId}.${number}`);
  for (const toolCallId of calls) emit({ kind: 'toolCallStart', toolCallId, toolName: 'write', displayName: 'Write' });
  for (let sent = 0; sent < count; ) {
    for (let tick = 0; tick < perTick && sent < count; tick++, sent++)
      emit({ kind: 'toolCallInput', toolCallId: calls[sent % 2], text: TEXT });
    await new Promise(setImmediate);
  }
  return { kind: 'complete' };
}

/** Makes an envelope of about 250 bytes. */
const TEXT = 'a'.repeat(60);

const blocks = monitorEventLoopDelay({ resolution: 1 });
await runHost((folder) => ({ store: openSqliteStore({ file: join(folder, 'store.sqlite') }), agents: [bursts] }), {
  watchBlocks: () => blocks.enable() && blocks.reset(),
  longestBlock: () => blocks.max / 1e6,
});
