import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { UsageError } from '../usage-error.js';

/** The token that clients must show. Only its owner may read the file. */
export function readOrMakeToken(file: string, mustExist: boolean): string {
  if (!existsSync(file)) {
    if (mustExist) throw new UsageError(`--token-file: there is no file ${file}`);
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  }
  if (!mustExist && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  const token = readToken(file, mustExist);
  if (!/^[\w.~+/=-]{16,}$/.test(token)) {
    throw new UsageError(`${file} holds no usable token: it needs at least 16 letters, digits or any of _ . ~ + / = -`);
  }
  return token;
}

function readToken(file: string, isGiven: boolean): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(
      `${isGiven ? '--token-file: ' : ''}cannot read ${file} (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
