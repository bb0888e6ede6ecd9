import { resolve } from 'node:path';
import { defaultDataFolder } from '../data-folder.js';
import { recover } from './recover.js';

export interface RecoverOptions {
  readonly dataDir?: string;
  readonly check?: boolean;
}

/** Recovers, prints what was saved, and sets the exit code. */
export function runRecover({ dataDir = defaultDataFolder(), check = false }: RecoverOptions): void {
  const { lines, isWhole } = recover(resolve(dataDir), check);
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = isWhole ? 0 : EXIT_DAMAGED;
}

/** Something is lost, or would be lost without `--check`. */
const EXIT_DAMAGED = 3;
