// A host with terminals in a process of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createHost,
  createMemoryDisk,
  createMemoryStore,
  createTokenCredentials,
  listenWebSocket,
  nodeClock,
  nodeFolders,
  nodePtys,
  nodeShells,
} from '@ahpd/host';
import { answerParent } from '../host/child.mjs';
import { TOKEN } from '../host/shared.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ahpd-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const log = { write: () => {} };
const host = createHost({
  store: createMemoryStore(createMemoryDisk()),
  agents: [],
  folders: nodeFolders([folder]),
  terminals: { ptys: nodePtys(), shells: nodeShells({ directory: join(folder, 'shells'), shell: '/bin/sh' }) },
  log,
});
const { port } = await listenWebSocket({
  host: '127.0.0.1',
  port: 0,
  credentials: createTokenCredentials({ bench: TOKEN }),
  isReady: () => true,
  onClient: host.accept,
  clock: nodeClock,
  log,
});
answerParent(port, {});
