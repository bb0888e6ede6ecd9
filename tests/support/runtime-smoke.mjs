// One turn in a host of its own, with the store or workspaces that the argument names. tests/packed.mjs runs it in Node, Bun
// and Deno.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, randomId, sessionUri, when } from '@moorage/client';
import {
  createHost,
  createMemoryStore,
  createTokenCredentials,
  gitWorkspaces,
  listenWebSocket,
  nodeFolders,
  openSqliteStore,
} from '@moorage/host';
import { helper } from '../../examples/agent/agent.mjs';

const kind = process.argv[2];
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-runtime-')));
const work = join(folder, 'work');
mkdirSync(work);
const store = kind === 'memory' ? createMemoryStore() : openSqliteStore({ file: join(folder, 'store.sqlite') });
const token = randomId();
const host = createHost({
  store,
  agents: [helper()],
  folders: nodeFolders([work]),
  ...(kind === 'git' && { workspaces: gitWorkspaces({ directory: join(folder, 'workspaces') }) }),
});
const credentials = createTokenCredentials({ me: token });
const listener = await listenWebSocket({ host: '127.0.0.1', port: 0, credentials, onClient: host.accept });
const client = await connect({ url: `ws://127.0.0.1:${listener.port}/`, token });
const uri = sessionUri.format(randomId());
const workingDirectories = [pathToFileURL(work).href];
await client.request('createSession', { channel: uri, provider: 'helper', workingDirectories });
const chat = await client.chat(await when(await client.session(uri), ({ defaultChat }) => defaultChat));
const turn = await (await chat.send('hello')).finished();
process.stdout.write(`${turn.state} ${turn.responseParts.map(({ content }) => content).join('')}\n`);
client.close();
await listener.close();
await host.close();
if (kind !== 'memory') store.close();
rmSync(folder, { recursive: true });
