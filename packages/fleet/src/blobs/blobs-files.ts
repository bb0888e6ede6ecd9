import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assertHash, type Blobs } from './blobs.js';

/** Blobs in a folder: of the only gateway, or of a file system that all gateways share. */
export function filesBlobs(folder: string): Blobs {
  const placeOf = (hash: string) => {
    assertHash(hash);
    const parent = join(folder, hash.slice(0, 2));
    return { parent, file: join(parent, hash) };
  };
  return {
    put: async (hash, bytes) => {
      const { parent, file } = placeOf(hash);
      await mkdir(parent, { recursive: true, mode: 0o700 });
      const unfinished = `${file}.${randomUUID()}`;
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync(); // the database will say that it is there
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
    },
    get: async (hash) => {
      try {
        return await readFile(placeOf(hash).file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    delete: (hash) => rm(placeOf(hash).file, { force: true }),
  };
}
