import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf } from '../repository/settings.js';
import type { Shadow } from '../repository/shadow.js';
import { pathText } from './trees.js';

/**
 * Folders that are not looked into because they have too many files that are neither committed nor known: data, as a
 * rule. Reading them would take minutes before the first turn could start. What is committed in them is not affected.
 */
export class LeftOut {
  /** New files that one scan takes in. */
  readonly most: number;
  readonly #file: string;
  /** Relative to the workspace's folder, one character per byte; empty for the files right in it. */
  #folders: readonly string[] = [];
  /** What git's lists looked like when the folders were chosen. */
  #seen = '';

  constructor(directory: string, most: number) {
    this.most = most;
    this.#file = join(directory, 'left-out');
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  /** For `git ls-files --others`. */
  get arguments(): string[] {
    return this.#folders.length === 0 ? [] : [`--exclude-from=${this.#file}`];
  }

  /** Whether a new file at this path, one character per byte, is left out. */
  covers(path: string): boolean {
    return this.#folders.some((folder) => (folder === '' ? !path.includes('/') : path.startsWith(`${folder}/`)));
  }

  /** What users must know of it; undefined if nothing is left out. */
  get problem(): string | undefined {
    if (this.#folders.length === 0) return undefined;
    const names = this.#folders.slice(0, MAX_NAMED).map((folder) => (folder === '' ? 'this folder' : pathText(folder)));
    const more = this.#folders.length > MAX_NAMED ? ` and ${this.#folders.length - MAX_NAMED} other folders` : '';
    return (
      `There are more than ${this.most} new files in ${names.join(', ')}${more}, so changes of those are not ` +
      'tracked; list them in .gitignore, or commit them.'
    );
  }

  /** Forgets what is left out if it may have been removed, committed or ignored since. */
  async keepIfSame({ repository, folder, top }: Pick<Shadow, 'repository' | 'folder' | 'top'>): Promise<void> {
    const files = [join(top, '.gitignore'), ...(repository ? [repository.index, repository.exclude] : [])];
    const seen = files.map(fingerprintOf).join();
    const isThere = this.#folders.every((path) => existsSync(join(folder, pathText(path))));
    if (seen !== this.#seen || !isThere) await this.#set([], '');
    this.#seen = seen;
  }

  /** `prefix` is the path of the workspace's folder in the repository. */
  add(folders: readonly string[], prefix: string): Promise<void> {
    return this.#set([...this.#folders, ...folders], prefix);
  }

  async #set(folders: readonly string[], prefix: string): Promise<void> {
    this.#folders = folders;
    if (folders.length === 0) await rm(this.#file, { force: true });
    else await writeFile(this.#file, patterns(folders, prefix), 'latin1');
  }
}

/** Folders that are named to users. */
const MAX_NAMED = 3;

function patterns(folders: readonly string[], prefix: string): string {
  const start = prefix === '' ? '/' : `/${escaped(prefix)}/`;
  const lines = folders.map((folder) => (folder === '' ? `${start}*\n!${start}*/\n` : `${start}${escaped(folder)}/\n`));
  return lines.toSorted().join('');
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\] ]/g, '\\$&').replaceAll('\n', '?');
}

/** Counts new files by folder, without remembering their names. */
export class NewFiles {
  readonly #root: Folder = { total: 0, below: new Map() };
  #last = { prefix: '', folders: [this.#root] };

  get total(): number {
    return this.#root.total;
  }

  add(path: string): void {
    // Git lists the files of a folder one after the other.
    const isBeside = path.startsWith(this.#last.prefix) && path.indexOf('/', this.#last.prefix.length) < 0;
    if (!isBeside) this.#last = this.#find(path);
    for (const folder of this.#last.folders) folder.total++;
  }

  /** The folders that a file lies in, from the outermost. */
  #find(path: string): { prefix: string; folders: Folder[] } {
    const folders = [this.#root];
    let from = 0;
    for (let folder = this.#root; folders.length <= MAX_DEPTH; ) {
      const slash = path.indexOf('/', from);
      if (slash < 0) break;
      const name = path.slice(from, slash);
      const next = folder.below.get(name) ?? { total: 0, below: new Map() };
      folder.below.set(name, next);
      folders.push(next);
      folder = next;
      from = slash + 1;
    }
    return { prefix: path.slice(0, path.lastIndexOf('/') + 1), folders };
  }

  /** Folders without which at most `most` files, more or less, are left: the deepest ones that have most of them. */
  tooMany(most: number): string[] {
    const chosen: string[] = [];
    const visit = ({ total, below }: Folder, path: string): void => {
      const children = [...below].toSorted(([, one], [, other]) => other.total - one.total);
      const large = children.filter(([, child]) => child.total > most);
      let rest = large.reduce((left, [, child]) => left - child.total, total);
      if (path !== '' && (large.length === 0 || rest > most)) {
        chosen.push(path);
        return;
      }
      for (const [name, child] of large) visit(child, path === '' ? name : `${path}/${name}`);
      if (path !== '') return;
      for (const [name, child] of children.slice(large.length)) {
        if (rest <= most) return;
        chosen.push(name);
        rest -= child.total;
      }
      if (rest > most) chosen.push('');
    };
    visit(this.#root, '');
    return chosen;
  }
}

interface Folder {
  total: number;
  readonly below: Map<string, Folder>;
}

/** Levels of folders that are told apart, so that the counts stay small. */
const MAX_DEPTH = 4;
