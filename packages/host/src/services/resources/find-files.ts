import { compileGlob } from '../../paths/glob.js';
import type { FindRequest, FoundFiles } from '../../ports/agent-files.js';
import { FilesError, type FolderEntry } from '../../ports/files.js';

export interface Folders {
  list(path: string): Promise<FolderEntry[]>;
  /** The real path of a folder: a link may lead back up. */
  locate(path: string): Promise<string>;
}

/** Folders searched, and depth: nobody works on a larger tree by hand. */
const MAX_FOLDERS = 20_000;
const MAX_DEPTH = 64;

/** Folders that are skipped unless the search starts in them. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Finds files below a folder, breadth first, because files near the top are wanted most often. Paths have slashes. */
export async function findFiles(under: string, request: FindRequest, folders: Folders): Promise<FoundFiles> {
  const { glob, maxFiles, signal } = request;
  const matches = glob === undefined ? () => true : compileGlob(glob);
  const files: string[] = [];
  const seen = new Set<string>();
  const queue = [{ path: under, depth: 0 }];
  let isComplete = true;
  for (let next = queue.shift(); next; next = queue.shift()) {
    signal.throwIfAborted();
    const entries = await enter(next.path, seen, folders);
    for (const { name, type } of entries) {
      const path = next.path === '' ? name : `${next.path}/${name}`;
      if (type === 'directory') {
        if (SKIPPED.has(name)) continue;
        if (next.depth < MAX_DEPTH && seen.size + queue.length < MAX_FOLDERS)
          queue.push({ path, depth: next.depth + 1 });
        else isComplete = false;
      } else if (matches(under === '' ? path : path.slice(under.length + 1))) {
        if (files.length >= maxFiles) return { files, isComplete: false };
        files.push(path);
      }
    }
  }
  return { files, isComplete };
}

/** The entries of a folder that was not visited before; none for one that is outside or just gone. */
async function enter(path: string, seen: Set<string>, folders: Folders): Promise<FolderEntry[]> {
  try {
    const real = await folders.locate(path === '' ? '.' : path);
    if (seen.has(real)) return [];
    seen.add(real);
    return await folders.list(path);
  } catch (error) {
    if (error instanceof FilesError) return [];
    throw error;
  }
}
