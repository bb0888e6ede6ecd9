import { compileGlob } from '../../paths/glob.js';
import type { FindRequest, FoundFiles } from '../../ports/agent-files.js';
import { FilesError, type FolderEntry } from '../../ports/files.js';

export interface Folders {
  list(path: string): Promise<FolderEntry[]>;
  /** Where a folder really is: a link may lead up again. */
  locate(path: string): Promise<string>;
}

/** Folders that are looked into, how deep: a tree with more is not what a person works on. */
const MAX_FOLDERS = 20_000;
const MAX_DEPTH = 64;

/** What nobody looks for unless they name it. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Files below a folder, breadth first: what is near the top is what is looked for most often. Paths have slashes. */
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
        if (LEFT_OUT.has(name)) continue;
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

/** What is in a folder that was not looked into before. One that is outside, or just gone, has nothing to show. */
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
