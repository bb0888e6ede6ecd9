import { openSqliteStore } from '@moorage/host';
import { randomFrom, uuid, words } from '../lib/random.mjs';

export function storeWithSessions(file, count) {
  const store = openSqliteStore({ file });
  const all = summaries(count);
  store.commit({
    channels: all.map(({ session }) => ({ ...chatPut(session), kind: 'session', session })),
    summaries: all,
  });
  return store;
}

export function summaries(count) {
  const random = randomFrom(5);
  return Array.from({ length: count }, (_, index) => {
    const session = `ahp-session:/${uuid(random)}`;
    // Within ten years, of which JavaScript can make a date.
    const modifiedAt = 1_750_000_000_000 + Math.floor(random() * 3e7) * 10_000 + index;
    const modified = new Date(modifiedAt).toISOString();
    const summary = {
      resource: session,
      provider: 'demo',
      title: words(random, 8),
      status: 1,
      createdAt: modified,
      modifiedAt: modified,
      workingDirectories: [`file:///home/somebody/projects/${words(random, 2)}`],
    };
    return { session, modifiedAt, json: JSON.stringify(summary) };
  });
}

/** Batches without end; the texts are made beforehand, since the host has them anyway. */
export function batchesFor(uris, perChannel) {
  const random = randomFrom(3);
  const turnId = uuid(random);
  const action = { type: 'chat/delta', turnId, partId: 'part-1', content: words(random, 12) };
  const texts = uris.map((channel) =>
    Array(perChannel)
      .fill(JSON.stringify({ channel, action, serverSeq: 123_456 }))
      .join(','),
  );
  let seq = 0;
  return {
    next: () =>
      uris.map((channel, index) => {
        const firstSeq = seq + 1;
        seq += perChannel;
        return { channel, firstSeq, lastSeq: seq, envelopes: texts[index] };
      }),
  };
}

export function chatUris(count) {
  const random = randomFrom(7);
  return Array.from({ length: count }, () => `ahp-chat:/${uuid(random)}`);
}

export function chatPut(uri) {
  return {
    uri,
    kind: 'chat',
    session: 'ahp-session:/bench',
    unsettled: false,
    snapshot: { seq: 0, json: '{"turns":[]}' },
  };
}
