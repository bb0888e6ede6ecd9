import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';

/**
 * Replaces a store by another, keeps the old one under another name, and returns that name. At every moment there is a file
 * under the store's own name, because a host that finds none would start an empty one.
 */
export function exchange(file: string, by: string): string {
  const kept = unusedName(file);
  for (const end of ['', '-wal']) if (existsSync(file + end)) keep(file + end, kept + end);
  // SQLite would take an old log for one of the new file.
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(by, file);
  return kept;
}

function unusedName(file: string): string {
  let count = 1;
  while (existsSync(`${file}.damaged-${count}`)) count++;
  return `${file}.damaged-${count}`;
}

function keep(file: string, as: string): void {
  try {
    linkSync(file, as);
  } catch {
    copyFileSync(file, as); // on a disk without hard links
  }
}
