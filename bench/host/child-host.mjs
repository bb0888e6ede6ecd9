import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, createTokenCredentials, listenBus, listenWebSocket, nodeClock, nodeFolders } from '@moorage/host';
import { answerParent } from './child.mjs';
import { TOKEN } from './shared.mjs';

/** Makes of this process a host with a folder of its own, which answers the process that started it; also on a bus, if that says so. */
export async function runHost(parts, tasks = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const log = { write: () => {} };
  const host = createHost({ folders: nodeFolders([folder]), log, ...parts(folder) });
  const { port } = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    credentials: createTokenCredentials({ bench: TOKEN }),
    isReady: () => true,
    onClient: host.accept,
    clock: nodeClock,
    log,
  });
  const [busAddress] = process.argv.slice(2);
  if (busAddress) {
    const { connectNatsBus } = await import('@moorage/fleet');
    const bus = await connectNatsBus({ servers: [busAddress], name: 'host' });
    listenBus({ bus, host: 'bench', onClient: host.accept, clock: nodeClock, log });
    await bus.flush();
  }
  answerParent(port, tasks);
}
