import { StoreError } from '../../ports/store.js';

/** Turns any error into one that says what happened to which file and what to do. The original error is its `cause`. */
export function toStoreError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const { kind, message } = explain(error);
  return new StoreError(kind, `The store ${file} ${message}`, { cause: error });
}

/** The message for damage of any kind, to follow the file's name. */
export function damageOf(detail: string | undefined): string {
  const found = detail === undefined ? '' : ` (${detail.slice(0, MAX_DETAIL_CHARS)})`;
  return (
    `is damaged or not a store of moorage${found}. Stop the host and run \`moorage recover\`: ` +
    'it saves what can be read, says what is lost and keeps the damaged file. Or restore a backup.'
  );
}

/** SQLite's description of damage can be long. */
const MAX_DETAIL_CHARS = 200;

interface Explanation {
  readonly kind: StoreError['kind'];
  /** Follows "The store <file>". */
  readonly message: string;
}

function explain(error: unknown): Explanation {
  if (error instanceof SyntaxError) return damaged; // a stored JSON text that no longer parses
  if (error instanceof RangeError) return tooBig;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return byResultCode[errcode] ?? byResultCode[errcode & 0xff] ?? unexpected(error);
  if (code === 'ERR_STRING_TOO_LONG') return tooBig;
  if (code === 'ENOSPC' || code === 'EDQUOT') return full;
  if (code === 'EROFS') return readOnly;
  const isFromFileSystem = error instanceof Error && 'syscall' in error;
  return isFromFileSystem ? cannotOpen(`(${String(code)})`) : unexpected(error);
}

const locked: Explanation = {
  kind: 'unavailable',
  message: 'is locked: another process holds it. Only one host may use it at a time; stop the other one and retry.',
};
const full: Explanation = {
  kind: 'unavailable',
  message: 'cannot grow: the disk is full. Nothing that was stored is lost; free space and retry.',
};
const readOnly: Explanation = {
  kind: 'unavailable',
  message: 'cannot be written: the file, its folder or the disk is read-only. Make it writable and retry.',
};
const ioError: Explanation = {
  kind: 'unavailable',
  message: 'could not be read or written: the disk reported an error. Check the disk and its limits, then retry.',
};
const outOfMemory: Explanation = { kind: 'unavailable', message: 'ran out of memory. Free some and retry.' };
const damaged: Explanation = { kind: 'broken', message: damageOf(undefined) };
const tooBig: Explanation = {
  kind: 'broken',
  message: 'has, or was given, a text that is too large to be read. Go on in a new chat, or delete the session.',
};
const moved: Explanation = {
  kind: 'broken',
  message: 'was moved or deleted while it was in use. Put it back and start the host again.',
};

/** SQLite's primary result codes, and those extended codes that need a different message. */
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
  const problem = `cannot be opened ${detail}`.trimEnd();
  return {
    kind: 'unavailable',
    message: `${problem}. Both the file and its folder must be writable for this user.`,
  };
}

function unexpected(error: unknown): Explanation {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'broken', message: `refused an operation (${message}). This is a bug in moorage; please report it.` };
}
