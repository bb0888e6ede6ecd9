// What other versions of the protocol cost: a message is translated once per version, whoever gets it.
import { dialectOf } from '@moorage/protocol/versions';
import { fanOutIn } from './host/fan-out.mjs';
import { asReceived, randomFrom, randomTurn, uuid, words } from './lib/random.mjs';

const VERSIONS = ['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1', '0.5.0', '0.4.0', '0.3.0', '0.2.0', 1];

export function cases({ smoke }) {
  const subscribers = smoke ? 2 : 100;
  return [
    ...VERSIONS.map((version) => delta(version)),
    ...VERSIONS.map((version) => snapshot(version, smoke ? 5 : 1_000)),
    ...(smoke ? [1] : VERSIONS).map((version) => fanOutIn(version, subscribers, smoke)),
  ];
}

const random = randomFrom(11);
const SESSION = `ahp-session:/${uuid(random)}`;
const CHAT = `ahp-chat:/${uuid(random)}`;

const session = asReceived({
  provider: 'demo',
  title: 'Session',
  status: 1,
  activeClients: [],
  lifecycle: 'ready',
  chats: [{ resource: CHAT, title: 'Chat', status: 1, modifiedAt: '2026-01-01T00:00:00.000Z' }],
  defaultChat: CHAT,
});

const directory = {
  defaultDirectory: undefined,
  now: () => 0,
  resolve: (uri) => uri,
  providerOf: () => 'demo',
  session: () => session,
  chat: () => undefined,
  sessionOfChat: () => ({ uri: SESSION, state: session }),
};

/** One piece of text: translated and encoded, against encoded as it is. */
function delta(version) {
  const { down } = dialectOf(version);
  const action = asReceived({
    type: 'chat/delta',
    turnId: uuid(random),
    partId: `${uuid(random)}.0`,
    content: words(random, 12),
  });
  const change = { channel: CHAT, kind: 'chat', action, session: { uri: SESSION, state: session } };
  const frame = (params) => JSON.stringify({ jsonrpc: '2.0', method: 'action', params });
  const native = () => frame({ channel: CHAT, action, serverSeq: 12345 }).length;
  const ours = () =>
    down
      .change(change, directory)
      .map((sent) => frame(down.envelope(sent.channel, { action: sent.action, serverSeq: 12345 })))
      .join('').length;
  const atMost = isSince05(version) ? 1.3 : 2;
  return { name: `a delta in ${version}, against 1.0.0`, work: 1, atMost, baseline: native, ours, pairs: () => [] };
}

function isSince05(version) {
  return typeof version === 'string' && !/^0\.[1-4]\./.test(version);
}

/** A session with a long conversation: translated and written, against the same conversation written as it is. */
function snapshot(version, turns) {
  const { down } = dialectOf(version);
  const chat = asReceived({ ...session.chats[0], turns: Array.from({ length: turns }, () => randomTurn(random)) });
  const owner = { uri: SESSION, state: session };
  const subject = down.mergesChats
    ? { kind: 'session', ...owner, chat }
    : { kind: 'chat', uri: CHAT, state: chat, session: owner };
  return {
    name: `a snapshot of ${turns} turns in ${version}, against writing it in 1.0.0`,
    work: 1,
    atMost: 2,
    baseline: () => JSON.stringify({ resource: CHAT, state: chat, fromSeq: 1 }).length,
    ours: () => JSON.stringify({ resource: SESSION, state: down.state(subject, directory), fromSeq: 1 }).length,
    pairs: () => [],
  };
}
