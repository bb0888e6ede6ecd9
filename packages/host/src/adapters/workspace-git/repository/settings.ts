import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Git } from '../../shared/git/git.js';
import type { Repository } from '../../shared/git/repository.js';

/** Files outside the folder that decide what git ignores and how it stores files. The watcher does not cover them. */
export class Settings {
  readonly #files: readonly string[];
  readonly #seen: string;

  constructor(files: readonly string[]) {
    this.#files = files;
    this.#seen = this.#fingerprint();
  }

  haveChanged(): boolean {
    return this.#fingerprint() !== this.#seen;
  }

  #fingerprint(): string {
    return this.#files.map(fingerprintOf).join();
  }
}

/** Finds all files outside the folder that configure git for it. Settings include one another and name other files. */
export async function findSettings(git: Git, folder: string, repository: Repository | undefined): Promise<Settings> {
  const home = process.env.HOME || homedir();
  const own = join(process.env.XDG_CONFIG_HOME || join(home, '.config'), 'git');
  const usual = [join(home, '.gitconfig'), ...['config', 'ignore', 'attributes'].map((name) => join(own, name))];
  const above = repository?.prefix.split('/').map((_, depth, names) => names.slice(0, depth).join('/')) ?? [];
  const rules = above.flatMap((path) => RULES.map((name) => join(repository?.top ?? '', path, name)));
  const listed = await git
    .run(['config', '--list', '--show-origin', '-z'], { cwd: folder })
    .catch(() => Buffer.alloc(0));
  const fields = listed.toString().split('\0');
  const named = fields.flatMap((field) => {
    if (field.startsWith('file:')) return [field.slice('file:'.length)];
    const path = FILE_SETTING.exec(field)?.[1];
    return path === undefined ? [] : [path.replace(/^~(?=\/)/, home)];
  });
  return new Settings([...new Set([...usual, ...SYSTEM, ...rules, ...named.map((path) => resolve(folder, path))])]);
}

const SYSTEM = ['/etc/gitconfig', '/etc/gitattributes'];
const RULES = ['.gitignore', '.gitattributes'];
const FILE_SETTING = /^core\.(?:excludesfile|attributesfile)\n(.+)$/;

/** Changes whenever the file does; empty if there is none. */
export function fingerprintOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
  } catch {
    return ''; // the host may not read it, and neither may git
  }
}
