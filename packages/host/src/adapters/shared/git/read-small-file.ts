import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Bytes of a file in a repository that is read as a whole: rules and names that people write. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a file in a user's repository; undefined if there is none, or it is no regular file. A pipe in its place
 * would hold one of the few threads that read files for the whole host.
 */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!file) return undefined;
  try {
    const about = await file.stat();
    return about.isFile() && about.size <= MAX_BYTES ? await file.readFile('utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
