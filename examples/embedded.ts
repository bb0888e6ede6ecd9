// A host and a client of it in one program: runs one turn of the demo agent and prints the answer.
// tests/packed.mjs type-checks and runs it against the packages as they are published.
import { demoAgent } from '@moorage/agents/demo';
import { connect, type Mirror, randomId, turnStarted } from '@moorage/client';
import {
  createHost,
  createMemoryStore,
  createTokenCredentials,
  listenWebSocket,
  nodeClock,
  nodeFolders,
} from '@moorage/host';
import { type ChannelKind, sessionUri, type Turn } from '@moorage/protocol';

const token = randomId();
const host = createHost({
  store: createMemoryStore(),
  agents: [demoAgent()],
  folders: nodeFolders([process.cwd()]),
});
const credentials = createTokenCredentials({ token });
const listener = await listenWebSocket({
  host: '127.0.0.1',
  port: 0,
  clock: nodeClock,
  credentials,
  onClient: host.accept,
});
const client = await connect({ url: `ws://127.0.0.1:${listener.port}/`, token });

const uri = sessionUri.format(randomId());
await client.request('createSession', { channel: uri, provider: 'demo' });
const session = await client.session(uri);
const chat = await client.chat(await when(session, () => session.confirmed.defaultChat));
const turnId = randomId();
const message = { text: '/say Hello from inside', origin: { kind: 'user' as const } };
await chat.dispatch(turnStarted(turnId, message));
console.log(textOf(await when(chat, () => chat.confirmed.turns.find(({ id }) => id === turnId))));

client.close();
await listener.close();
await host.close();

/** What `pick` finds, as soon as it finds something in the mirror. */
function when<K extends ChannelKind, T>(mirror: Mirror<K>, pick: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const found = pick();
      if (found === undefined) return;
      stop();
      resolve(found);
    };
    const stop = mirror.subscribe(look);
    look();
  });
}

function textOf({ responseParts }: Turn): string {
  return responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('');
}
