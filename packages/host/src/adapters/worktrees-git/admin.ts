import { access, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { WorktreePlan } from '../../ports/worktrees.js';
import { readSmallFile as text } from '../shared/git/read-small-file.js';

/** The repository's own folder for a work tree. Git names it after the work tree, with a number if that name is taken. */
export class Admin {
  readonly #plan: WorktreePlan;

  constructor(plan: WorktreePlan) {
    this.#plan = plan;
  }

  /** The folder that the work tree points to, if that folder points back to it. */
  async folder(workTree = this.#plan.path): Promise<string | undefined> {
    const link = await text(join(workTree, '.git'));
    const folder = /^gitdir: (.+)$/m.exec(link ?? '')?.[1];
    return folder !== undefined && (await this.#isOurs(folder)) ? folder : undefined;
  }

  /** The folder by its usual name. Also found if the work tree is gone or was never finished. */
  async leftover(): Promise<string | undefined> {
    const folder = join(this.#plan.repository, 'worktrees', basename(this.#plan.path));
    if (!(await exists(folder))) return undefined;
    const link = await text(join(folder, 'gitdir'));
    return link === undefined || link.trim() === join(this.#plan.path, '.git') ? folder : undefined;
  }

  async forget(): Promise<void> {
    const folder = await this.leftover();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    // As git does after the last one; fails while others remain. A crash may have come between the two.
    await rmdir(join(this.#plan.repository, 'worktrees')).catch(() => undefined);
  }

  async #isOurs(folder: string): Promise<boolean> {
    return (await text(join(folder, 'gitdir')))?.trim() === join(this.#plan.path, '.git');
  }
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
