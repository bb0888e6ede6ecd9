import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Removes the folder of a host that was killed: what it had started (git, a filter of git) may write for some seconds more. */
export async function removeFolder(folder: string): Promise<void> {
  for (;;) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      await sleep(100);
    }
  }
}
