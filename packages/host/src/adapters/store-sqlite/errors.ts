import { StoreError } from '../../ports/store.js';

/** Says what happened to which file and what to do about it. The original error stays as `cause`. */
export function toStoreError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const { kind, says } = explain(error);
  return new StoreError(kind, `The store ${file} ${says}`, { cause: error });
}

/** What is said of damage, wherever it is found. */
export function damageOf(detail: string | undefined): string {
  const found = detail === undefined ? '' : ` (${detail.slice(0, MAX_DETAIL_CHARS)})`;
  return (
    `is damaged or not a store of ahpd${found}. Stop the host and run \`ahpd recover\`: ` +
    'it saves what can be read, says what is lost and keeps the damaged file. Or restore a backup.'
  );
}

/** SQLite's own words on damage can be long, and name the first place only. */
const MAX_DETAIL_CHARS = 200;

interface Explanation {
  readonly kind: StoreError['kind'];
  readonly says: string;
}

function explain(error: unknown): Explanation {
  if (error instanceof SyntaxError) return damaged; // a stored JSON text that no longer parses
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return byResultCode[errcode] ?? byResultCode[errcode & 0xff] ?? unexpected(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return full;
  if (code === 'EROFS') return readOnly;
  const isFromFileSystem = error instanceof Error && 'syscall' in error;
  return isFromFileSystem ? cannotOpen(`(${String(code)})`) : unexpected(error);
}

const locked: Explanation = {
  kind: 'unavailable',
  says: 'is locked: another process holds it. Only one host may use it at a time; stop the other one and retry.',
};
const full: Explanation = {
  kind: 'unavailable',
  says: 'cannot grow: the disk is full. Nothing that was stored is lost; free space and retry.',
};
const readOnly: Explanation = {
  kind: 'unavailable',
  says: 'cannot be written: the file, its folder or the disk is read-only. Make it writable and retry.',
};
const ioError: Explanation = {
  kind: 'unavailable',
  says: 'could not be read or written: the disk reported an error. Check the disk and its limits, then retry.',
};
const outOfMemory: Explanation = { kind: 'unavailable', says: 'ran out of memory. Free some and retry.' };
const damaged: Explanation = { kind: 'broken', says: damageOf(undefined) };
const tooBig: Explanation = { kind: 'broken', says: 'cannot hold a text of that size.' };
const moved: Explanation = {
  kind: 'broken',
  says: 'was moved or deleted while it was in use. Put it back and start the host again.',
};

/** SQLite's result codes: primary ones, and the extended ones that mean something else than their primary one. */
const byResultCode: Readonly<Record<number, Explanation>> = {
  5: locked, // SQLITE_BUSY
  6: locked, // SQLITE_LOCKED
  7: outOfMemory, // SQLITE_NOMEM
  8: readOnly, // SQLITE_READONLY
  1032: moved, // SQLITE_READONLY_DBMOVED
  10: ioError, // SQLITE_IOERR
  3082: outOfMemory, // SQLITE_IOERR_NOMEM
  11: damaged, // SQLITE_CORRUPT
  13: full, // SQLITE_FULL
  14: cannotOpen(''), // SQLITE_CANTOPEN
  18: tooBig, // SQLITE_TOOBIG
  26: damaged, // SQLITE_NOTADB
};

function cannotOpen(detail: string): Explanation {
  const says = `cannot be opened ${detail}`.trimEnd();
  return { kind: 'unavailable', says: `${says}. It must be a file that this user may write, in such a folder.` };
}

function unexpected(error: unknown): Explanation {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'broken', says: `refused an operation (${message}). This is a bug in ahpd; please report it.` };
}
