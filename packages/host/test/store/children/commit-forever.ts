import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/adapters/store-sqlite/index.js';
import {
  changedChannel,
  chat,
  chatChannel,
  logEntry,
  session,
  sessionChannel,
  summary,
} from '../../../src/testing/store-samples.js';

// Commits batch after batch, each with its number in every part, and says which are done. Ends when it is killed.
const [file = ''] = process.argv.slice(2);
const store = openSqliteStore({ file });
let number = Number(store.documents.read('client', 'number') ?? 0);
if (number === 0) store.commit({ channels: [sessionChannel(), chatChannel()] });

while (true) {
  number++;
  const seq = number * 2;
  const snapshot = number % 50 === 0 ? { snapshot: { seq, json: String(number) } } : {};
  store.commit({
    channels: [{ ...changedChannel(chat, { unsettled: number % 2 === 1 }), ...snapshot }],
    log: [logEntry(chat, seq - 1, seq)],
    summaries: [summary(session, number)],
    documents: [{ collection: 'client', key: 'number', json: String(number) }],
  });
  writeSync(1, `${number}\n`);
  if (number % 200 === 0) store.channels.trim(chat, 10_000);
}
