import { sep } from 'node:path';

/** Whether a path is the folder or lies below it. Compares text, so both must be real paths. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
