import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';

/**
 * Puts a new store in the place of another, which is kept under another name; gives that name. The name of the store is never
 * without a file: a host that finds none would begin an empty one.
 */
export function exchange(file: string, by: string): string {
  const kept = unusedName(file);
  for (const end of ['', '-wal']) if (existsSync(file + end)) keep(file + end, kept + end);
  // A log that is left would be taken for that of the new file.
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
    copyFileSync(file, as); // a disk without links
  }
}
