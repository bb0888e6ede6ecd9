// A host and a client of it in one program: runs one turn of the demo agent and prints the answer.
// tests/packed.mjs type-checks and runs it against the packages as they are published.
import { demoAgent } from '@moorage/agents/demo';
import { connect, randomId, sessionUri, type Turn, when } from '@moorage/client';
import { createHost, createMemoryStore, createTokenCredentials, listenWebSocket, nodeFolders } from '@moorage/host';

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
  credentials,
  onClient: host.accept,
});
const client = await connect({ url: `ws://127.0.0.1:${listener.port}/`, token });

const uri = sessionUri.format(randomId());
await client.request('createSession', { channel: uri, provider: 'demo' });
const session = await client.session(uri);
const chat = await client.chat(await when(session, ({ defaultChat }) => defaultChat));
const sent = await chat.send('/say Hello from inside');
console.log(textOf(await sent.finished()));

client.close();
await listener.close();
await host.close();

function textOf({ responseParts }: Turn): string {
  return responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('');
}
