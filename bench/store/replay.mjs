import { join } from 'node:path';
import { openSqliteStore } from '@moorage/host';
import { createBareLog, openBare } from './bare.mjs';
import { batchesFor, chatPut, chatUris } from './samples.mjs';

export function* replayCases(folder, actions) {
  const [chat] = chatUris(1);
  for (const perRow of [1, 16]) {
    const file = join(folder, `replay-${perRow}`);
    const [store, bare] = [openSqliteStore({ file: `${file}.db` }), openBare(`${file}-bare.db`)];
    fillLog(store, bare, chat, actions, perRow);
    const select = bare.prepare('SELECT envelopes FROM log WHERE channel = 0 AND first_seq > ? ORDER BY first_seq');
    const baseline = () =>
      select
        .all(0)
        .map(({ envelopes }) => envelopes)
        .join(',');
    const ours = () => store.channels.replay(chat, 0);
    yield { name: `replay ${actions} actions, ${perRow} per row`, work: actions, baseline, ours, atMost: 2 };
  }
  const few = actions / 10;
  const [long, short] = [actions, few].map((count) => {
    const store = openSqliteStore({ file: join(folder, `replay-of-${count}.db`) });
    fillLog(store, undefined, chat, count, 1);
    return () => store.channels.replay(chat, count - few);
  });
  yield {
    name: `replay the last ${few} of ${actions} actions against all of ${few}`,
    work: few,
    baseline: short,
    ours: long,
    atMost: 1.3,
    sizes: [few, actions],
  };
}

function fillLog(store, bare, chat, actions, perRow) {
  store.commit({ channels: [chatPut(chat)] });
  if (bare) createBareLog(bare);
  const insert = bare?.prepare('INSERT INTO log (channel, first_seq, last_seq, envelopes) VALUES (0, ?, ?, ?)');
  const batches = batchesFor([chat], perRow);
  bare?.exec('BEGIN');
  for (let done = 0; done < actions; done += perRow) {
    const log = batches.next();
    store.commit({ log });
    for (const { firstSeq, lastSeq, envelopes } of log) insert?.run(firstSeq, lastSeq, envelopes);
  }
  bare?.exec('COMMIT');
}
