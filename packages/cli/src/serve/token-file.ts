import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { readNamedFile } from '../files.js';
import { UsageError } from '../usage-error.js';

/** The token of a file that the user named with `--token-file`. */
export function readGivenToken(file: string): string {
  return usable(file, readNamedFile('--token-file', file));
}

/** The host's own token, made when there is none yet. Only its owner may read the file. */
export function readOrMakeToken(file: string): string {
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return usable(file, readNamedFile('token', file));
}

function usable(file: string, text: string): string {
  const token = text.trim();
  if (/^[\w.~+/=-]{16,}$/.test(token)) return token;
  throw new UsageError(`${file} holds no usable token: it needs at least 16 letters, digits or any of _ . ~ + / = -`);
}
