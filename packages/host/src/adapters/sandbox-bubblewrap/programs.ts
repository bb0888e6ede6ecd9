import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * What must be readable for a program to start: the folders on its PATH, and where its own files really are. What the program
 * may change itself, it could make a link to anything: `isOwn` tells such paths, which are left out.
 */
export function programPaths(command: string, path: string, isOwn: (path: string) => boolean): string[] {
  if (isOwn(command)) return [];
  const folders = path.split(':').filter((folder) => isAbsolute(folder) && !real(folder).some(isOwn));
  const found = [command, 'node'].flatMap((name) => locate(name, folders));
  return [...folders.flatMap(real), ...found.flatMap((file) => [dirname(file), packageOf(file)])];
}

/** The path as it really is; none if it is not there. */
export function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function locate(command: string, folders: readonly string[]): string[] {
  if (command.includes('/')) return real(command);
  return folders.flatMap((folder) => real(join(folder, command))).slice(0, 1);
}

/** A program from the npm registry needs the packages beside its own. */
function packageOf(file: string): string {
  const at = file.indexOf('/node_modules/');
  return at < 0 ? dirname(file) : `${file.slice(0, at)}/node_modules`;
}
