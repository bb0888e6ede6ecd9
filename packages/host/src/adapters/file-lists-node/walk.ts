import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { MAX_DEPTH, MAX_FILES, MAX_FOLDERS, MAX_IGNORE_BYTES, READS_AT_ONCE } from './limits.js';

/** The ignore rules of one folder. They apply to everything below it. */
interface Rules {
  readonly base: string;
  readonly ignores: Ignore;
}

interface Folder {
  readonly path: string;
  readonly depth: number;
  readonly rules: readonly Rules[];
}

/** Left out even if no ignore file says so. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const IGNORE_FILES = ['.gitignore', '.ignore'];

/** Lists the files below a folder breadth first, so that a list cut off at a limit has the files near the top. */
export async function walk(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  let level: Folder[] = [{ path: '', depth: 0, rules: [] }];
  let folders = 1;
  while (level.length > 0) {
    const next: Folder[] = [];
    for (let at = 0; at < level.length; at += READS_AT_ONCE) {
      signal.throwIfAborted();
      const found = await Promise.all(level.slice(at, at + READS_AT_ONCE).map((folder) => readFolder(root, folder)));
      for (const { names, below } of found) {
        for (const name of names) files.push(name);
        for (const folder of below) {
          if (folder.depth > MAX_DEPTH || folders >= MAX_FOLDERS) continue;
          folders++;
          next.push(folder);
        }
      }
      if (files.length > MAX_FILES) return files.slice(0, MAX_FILES);
    }
    level = next;
  }
  return files;
}

async function readFolder(root: string, folder: Folder): Promise<{ names: string[]; below: Folder[] }> {
  const entries = await readdir(join(root, folder.path), { withFileTypes: true }).catch((error: unknown) => {
    if (folder.path === '') throw error;
    return []; // removed meanwhile, or no permission
  });
  const rules = await rulesIn(root, folder, entries);
  const names: string[] = [];
  const below: Folder[] = [];
  for (const entry of entries) {
    const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
    if (LEFT_OUT.has(entry.name)) continue;
    if (entry.isDirectory()) {
      if (!isIgnored(`${path}/`, rules)) below.push({ path, depth: folder.depth + 1, rules });
    } else if ((entry.isFile() || entry.isSymbolicLink()) && !isIgnored(path, rules)) names.push(path);
  }
  return { names, below };
}

async function rulesIn(root: string, { path, rules }: Folder, entries: readonly Dirent[]): Promise<readonly Rules[]> {
  const ignoreFiles = entries.filter((entry) => entry.isFile() && IGNORE_FILES.includes(entry.name));
  if (ignoreFiles.length === 0) return rules;
  const texts = await Promise.all(ignoreFiles.map(({ name }) => readStart(join(root, path, name))));
  return [...rules, { base: path, ignores: ignore().add(texts.join('\n')) }];
}

/** Of the rules that match a path, those of the nearest folder decide. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  let ignored = false;
  for (const { base, ignores } of rules) {
    const match = ignores.test(base === '' ? path : path.slice(base.length + 1));
    if (match.ignored || match.unignored) ignored = match.ignored;
  }
  return ignored;
}

async function readStart(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_IGNORE_BYTES), 0, MAX_IGNORE_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}
