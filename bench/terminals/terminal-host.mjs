// A host with terminals in a process of its own.
import { join } from 'node:path';
import { createMemoryDisk, createMemoryStore, nodePtys, nodeShells } from '@moorage/host';
import { runHost } from '../host/child-host.mjs';

await runHost((folder) => ({
  store: createMemoryStore(createMemoryDisk()),
  agents: [],
  terminals: { ptys: nodePtys(), shells: nodeShells({ directory: join(folder, 'shells'), shell: '/bin/sh' }) },
}));
