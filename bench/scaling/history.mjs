import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@moorage/host';
import { snapshotText } from '../../packages/host/dist/core/snapshot-text.js';
import { chatWith, toLastPart } from '../reducers/chat.mjs';
import { foldBatches, foldSingly, inBatches } from '../reducers/fold.mjs';
import { batchesFor, chatPut, chatUris } from '../store/samples.mjs';
import { atSizes, best } from './best.mjs';

const ROUNDS = 12;

/** Long turns, long chats, long logs. */
export function history(smoke) {
  const scale = (sizes) => (smoke ? [2, 4] : sizes);
  const deltas = smoke ? 40 : 4_000;
  const fold = (fold) => (options) => {
    const state = chatWith(options);
    const actions = toLastPart(state, deltas);
    return best(ROUNDS, () => fold(state, actions));
  };
  const singly = fold((state, actions) => foldSingly('chat', state, actions));
  const inTicks = fold((state, actions) => foldBatches('chat', state, inBatches(actions, 16)));
  const parts = scale([5, 50, 500, 2_000]);
  const turns = scale([100, 500, 2_000, 5_000]);
  const rows = scale([1_000, 4_000, 16_000, 64_000]);
  return [
    row('parts of a turn: a delta', 0.5, parts, (size) => singly({ parts: size, turns: 10 })),
    row('parts of a turn: a delta in batches of 16', 0.25, parts, (size) => inTicks({ parts: size, turns: 10 })),
    row('turns of a chat: a delta', 0, turns, (size) => singly({ parts: 5, turns: size })),
    row('turns of a chat: a snapshot', 1, turns, (size) => {
      const state = chatWith({ parts: 5, turns: size });
      return best(ROUNDS, () => Buffer.from(snapshotText({ resource: state.resource, state, fromSeq: 1 })));
    }),
    row('stored history: append 16 actions', 0, rows, (size) => withLog(size, ({ append }) => best(200, append))),
    row('stored history: replay the last 500 actions', 0, rows, (size) =>
      withLog(size, ({ replay }) => best(ROUNDS, () => replay(500))),
    ),
    row('stored history: replay all of it', 1, rows, (size) =>
      withLog(size, ({ replay }) => best(ROUNDS, () => replay(size))),
    ),
  ];
}

function row(name, growsAtMost, sizes, cost) {
  return { name: `scaling with ${name}`, growsAtMost, grow: () => atSizes(sizes, cost) };
}

async function withLog(actions, run) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  const store = openSqliteStore({ file: join(folder, 'log.db') });
  try {
    const [chat] = chatUris(1);
    store.commit({ channels: [chatPut(chat)] });
    const batches = batchesFor([chat], 16);
    let last = 0;
    const append = () => {
      const log = batches.next();
      last = log[0].lastSeq;
      store.commit({ log });
    };
    while (last < actions) append();
    return await run({ append, replay: (count) => store.channels.replay(chat, Math.max(0, last - count)) });
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
