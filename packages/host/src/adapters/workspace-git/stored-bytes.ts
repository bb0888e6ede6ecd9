import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that the objects of a store take on disk. */
export async function storedBytes(directory: string): Promise<number> {
  const objects = join(directory, 'objects');
  const folders = await readdir(objects).catch(() => []);
  const sizes = await Promise.all(
    folders
      .filter((name) => name !== 'info')
      .map(async (name) => {
        const files = await readdir(join(objects, name)).catch(() => []);
        const bytes = await Promise.all(files.map((file) => sizeOf(join(objects, name, file))));
        return bytes.reduce((sum, size) => sum + size, 0);
      }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
