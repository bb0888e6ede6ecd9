import { sep } from 'node:path';

/** Whether a real path is a folder or anything below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
