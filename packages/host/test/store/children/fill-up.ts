import { execFileSync } from 'node:child_process';
import { openSqliteStore } from '../../../src/adapters/store-sqlite/index.js';
import { StoreError } from '../../../src/ports/store.js';
import { chat, chatChannel, envelope, seqsIn, sessionChannel } from '../../../src/testing/store-samples.js';

// Commits until there is no room, makes room with the given command, and goes on. Prints what it met as JSON.
const [file = '', makeRoom = ''] = process.argv.slice(2);
const store = openSqliteStore({ file });
store.commit({ channels: [sessionChannel(), chatChannel()] });

let seq = 0;
function commitNext(): void {
  const envelopes = envelope(chat, seq + 1, 'x'.repeat(20_000));
  const documents = [{ collection: 'client', key: 'last', json: String(seq + 1) }] as const;
  store.commit({ log: [{ channel: chat, firstSeq: seq + 1, lastSeq: seq + 1, envelopes }], documents });
  seq++;
}

function failure(run: () => void): StoreError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

let first: StoreError | undefined;
while (first === undefined && seq < 10_000) first = failure(commitNext);
const second = failure(commitNext);
const whileFull = { seqs: seqsIn(store.channels.replay(chat, 0)), last: store.documents.read('client', 'last') };
execFileSync('sh', ['-c', makeRoom], { env: { ...process.env, HOST_PID: String(process.pid) } });
const committed = seq;
for (let count = 0; count < 20; count++) commitNext();
store.close();
const reopened = openSqliteStore({ file });
const afterwards = seqsIn(reopened.channels.replay(chat, 0))?.length;
reopened.close();
const errors = [first, second].map((error) => ({ kind: error?.kind, message: error?.message }));
process.stdout.write(`${JSON.stringify({ errors, committed, whileFull, afterwards })}\n`);
