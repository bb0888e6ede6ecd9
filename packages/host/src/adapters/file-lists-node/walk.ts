import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { MAX_DEPTH, MAX_FILES, MAX_FOLDERS, MAX_IGNORE_BYTES, READS_AT_ONCE } from './limits.js';

/** Rules of one folder, for what is below it. */
interface Rules {
  readonly base: string;
  readonly ignores: Ignore;
}

interface Folder {
  readonly path: string;
  readonly depth: number;
  readonly rules: readonly Rules[];
}

/** What nobody looks for. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const IGNORE_FILES = ['.gitignore', '.ignore'];

/** Files below a folder, breadth first: what is near the top is there when a bound is met. */
export async function walk(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  let level: Folder[] = [{ path: '', depth: 0, rules: [] }];
  let folders = 1;
  while (level.length > 0) {
    const next: Folder[] = [];
    for (let at = 0; at < level.length; at += READS_AT_ONCE) {
      signal.throwIfAborted();
      const found = await Promise.all(level.slice(at, at + READS_AT_ONCE).map((folder) => look(root, folder)));
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

async function look(root: string, folder: Folder): Promise<{ names: string[]; below: Folder[] }> {
  const entries = await readdir(join(root, folder.path), { withFileTypes: true }).catch((error: unknown) => {
    if (folder.path === '') throw error;
    return []; // one that is just gone, or may not be entered, has nothing to show
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
  const there = entries.filter((entry) => entry.isFile() && IGNORE_FILES.includes(entry.name));
  if (there.length === 0) return rules;
  const texts = await Promise.all(there.map(({ name }) => readStart(join(root, path, name))));
  return [...rules, { base: path, ignores: ignore().add(texts.join('\n')) }];
}

/** The rules of the nearest folder decide, where they say something. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  let ignored = false;
  for (const { base, ignores } of rules) {
    const { ignored: isOut, unignored: isIn } = ignores.test(base === '' ? path : path.slice(base.length + 1));
    if (isOut || isIn) ignored = isOut;
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
