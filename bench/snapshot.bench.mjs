// What a client that opens a long chat costs the host, against sending JSON text that lies ready.
import { snapshotText } from '../packages/host/dist/core/snapshot-text.js';
import { asReceived, randomFrom, randomTurn, uuid } from './lib/random.mjs';

export function cases({ smoke }) {
  const turns = smoke ? 5 : 1_000;
  const random = randomFrom(7);
  const state = asReceived({
    resource: `ahp-chat:/${uuid(random)}`,
    title: 'Chat',
    status: 1,
    modifiedAt: '2026-01-01T00:00:00.000Z',
  });
  state.turns = Array.from({ length: turns }, () => asReceived(randomTurn(random)));
  const snapshot = { resource: state.resource, state, fromSeq: 12345 };
  const stored = snapshotText(snapshot);
  return [
    {
      name: `snapshot of a chat with ${turns} turns, again`,
      work: 1,
      atMost: 1.3,
      processorTime: true,
      baseline: () => asFrame(stored),
      ours: () => asFrame(snapshotText(snapshot)),
    },
    {
      name: `snapshot of a chat with ${turns} turns, against writing it anew`,
      work: 1,
      atLeast: 5,
      processorTime: true,
      baseline: () => asFrame(JSON.stringify(snapshot)),
      ours: () => asFrame(snapshotText(snapshot)),
      pairs: () => [[snapshot, JSON.parse(snapshotText(snapshot))]],
    },
  ];
}

/** The bytes that go out: the text alone would be a rope that nobody has written yet. */
function asFrame(text) {
  return Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"snapshot":${text}}}`).length;
}
