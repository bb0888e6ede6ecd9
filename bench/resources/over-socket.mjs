import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@moorage/client';
import { startChild } from '../host/processes.mjs';
import { TOKEN } from '../host/shared.mjs';
import { inTurns, textOf } from './shared.mjs';

/** From `resourceRead` to its answer, from another process: confinement, JSON and the socket both ways. */
export function overSocket(kib, smoke) {
  return {
    name: `resourceRead of ${kib} KiB over a WebSocket, against fs.readFile`,
    work: 1,
    atMost: 10,
    async run() {
      const host = await startChild('./our-host.mjs');
      const client = await connect({ url: `ws://127.0.0.1:${host.port}/`, token: TOKEN });
      const folder = client.hostInfo.defaultDirectory;
      const path = join(fileURLToPath(folder), 'file.txt');
      await writeFile(path, textOf(kib));
      const params = { channel: 'ahp-root://', uri: `${folder}/file.txt` };
      const ours = async () => (await client.request('resourceRead', params)).data.length;
      const figures = await inTurns(smoke, async () => (await readFile(path, 'utf8')).length, ours);
      client.close();
      await host.stop();
      return figures;
    },
  };
}
