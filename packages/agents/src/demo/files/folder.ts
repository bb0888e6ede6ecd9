import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolProblem } from '../tool-problem.js';
import { explainSystemError, isSystemError } from './system-error.js';

/** Where a path of a script really leads. It is inside the folder, whatever symbolic links it goes through. */
export interface Place {
  /** For people: relative to the folder. */
  readonly shown: string;
  readonly real: string;
  /** Under the folder as the session names it, since clients compare URIs as strings. */
  readonly uri: string;
  readonly exists: boolean;
  /** The path itself is a symbolic link; `real` is where it leads. */
  readonly isLink: boolean;
}

/** The session's working directory. Nothing outside of it is ever read or changed. */
export class Folder {
  readonly #named: string;
  readonly #real: string;

  constructor(workingDirectory: string | undefined) {
    if (workingDirectory === undefined) {
      throw new ToolProblem('noFolder', 'This session has no working directory, so there are no files to work on.');
    }
    this.#named = resolve(workingDirectory);
    try {
      this.#real = realpathSync(this.#named);
    } catch (error) {
      throw new ToolProblem('noFolder', `The working directory ${workingDirectory} is not accessible.`, {
        cause: error,
      });
    }
  }

  /** Finds a path that may not exist yet. Throws a ToolProblem when it leads out of the folder. */
  locate(path: string): Place {
    if (path.includes('\0')) throw new ToolProblem('badPath', 'A path cannot hold a NUL character.');
    const { real, ...found } = resolveLinks(this.#absolute(path), path);
    const inside = relative(this.#real, real);
    if (leavesFolder(inside)) throw outside(path);
    if (inside === '') throw new ToolProblem('isFolder', `${path} is the working directory itself.`);
    const shown = inside.split(sep).join('/');
    return { shown, real, uri: pathToFileURL(join(this.#named, inside)).href, ...found };
  }

  /** An absolute path may name the folder as the session does or as it really is. */
  #absolute(path: string): string {
    if (!isAbsolute(path)) return resolve(this.#real, path);
    const inside = relative(this.#named, path);
    return leavesFolder(inside) ? resolve(path) : join(this.#real, inside);
  }
}

/** Resolves the part of a path that exists; the rest is to be created below it. */
function resolveLinks(path: string, shown: string): Pick<Place, 'real' | 'exists' | 'isLink'> {
  try {
    let existing = path;
    const missing: string[] = [];
    let kind = kindOf(existing);
    while (kind === 'missing') {
      missing.unshift(basename(existing));
      existing = dirname(existing);
      kind = kindOf(existing);
    }
    const exists = missing.length === 0;
    return { real: join(realpathSync(existing), ...missing), exists, isLink: exists && kind === 'link' };
  } catch (error) {
    // Only a symbolic link exists and leads nowhere. Writing to it would create a file where nobody has checked.
    if (isSystemError(error) && error.code === 'ENOENT') {
      throw new ToolProblem('badLink', `${shown} goes through a symbolic link that leads nowhere.`, { cause: error });
    }
    throw explainSystemError(error, shown);
  }
}

function kindOf(path: string): 'missing' | 'link' | 'other' {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return 'missing';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

function leavesFolder(inside: string): boolean {
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

function outside(path: string): ToolProblem {
  return new ToolProblem('outsideFolder', `${path} is outside of the session's working directory.`);
}
