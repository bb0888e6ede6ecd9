import { chmod, mkdir, open, readdir, symlink } from 'node:fs/promises';
import type { StateObject } from '@moorage/host';
import { entriesOf, type FolderEntry, isFolder } from '../files/objects.js';

const SYMLINK = '120000';
const EXECUTABLE = '100755';

export interface CheckedOut {
  readonly files: number;
  /** Files whose content is not kept. */
  readonly leftOut: number;
}

/**
 * Writes the files of a state into an empty folder. Nothing that is there is ever replaced, so no link leads out of it.
 * Throws for names that no folder can have, before anything is below them.
 */
export async function checkOut(
  folder: string,
  state: string,
  read: (id: string) => Promise<StateObject | undefined>,
): Promise<CheckedOut> {
  let files = 0;
  let leftOut = 0;
  const fill = async (into: Buffer, id: string): Promise<void> => {
    const object = await read(id);
    if (object?.type !== 'tree') throw new Error('a folder of the session is missing in what the fleet has kept');
    for (const entry of entriesOf(object.content, id.length)) {
      const path = Buffer.concat([into, Buffer.from('/'), nameOf(entry)]);
      if (isFolder(entry)) {
        await mkdir(path);
        await fill(path, entry.id);
        continue;
      }
      const content = await read(entry.id);
      if (!content || content.notKept) {
        leftOut++;
        continue;
      }
      await writeEntry(path, entry, content.content);
      files++;
    }
  };
  await fill(Buffer.from(folder), state);
  return { files, leftOut };
}

async function writeEntry(path: Buffer, { mode }: FolderEntry, content: Uint8Array): Promise<void> {
  if (mode === SYMLINK) return symlink(Buffer.from(content), path);
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  if (mode === EXECUTABLE) await chmod(path, 0o755);
}

function nameOf({ name }: FolderEntry): Buffer {
  if (name === '' || name === '.' || name === '..' || name.toLowerCase() === '.git' || /[/\0]/.test(name))
    throw new Error('a file of the session has a name that no file can have');
  return Buffer.from(name, 'latin1');
}

/** Whether there is nothing at a path, or an empty folder. */
export async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}
