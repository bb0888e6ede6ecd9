import { readFile } from 'node:fs/promises';
import { nodeFiles } from '@moorage/host';
import { inTurns, withFile } from './shared.mjs';

/** The price of the confinement alone: resolving links, holding the folder open, asking the scope twice. */
export function confined(kib, smoke) {
  return {
    name: `read ${kib} KiB, confined, against fs.readFile`,
    work: 1,
    atMost: 4,
    run: () =>
      withFile(kib, async (path, folder) => {
        const files = nodeFiles();
        const scope = { may: (_access, real) => real.startsWith(folder) };
        const ours = async () => (await files.read(path, scope, Number.MAX_SAFE_INTEGER)).bytes.length;
        return inTurns(smoke, async () => (await readFile(path)).length, ours);
      }),
  };
}
