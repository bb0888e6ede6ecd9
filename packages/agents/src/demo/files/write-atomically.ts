import { randomUUID } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Nobody ever sees half a file, and one that exists keeps its mode. Everything here is synchronous on purpose: neither
 * a cancel nor the end of the process can come between its parts.
 */
export function writeAtomically(path: string, bytes: Uint8Array, mode: number | undefined): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  // The rename would replace a file that its mode protects from being written.
  if (mode !== undefined) accessSync(path, constants.W_OK);
  const temporary = join(folder, `.ahpd-${randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
