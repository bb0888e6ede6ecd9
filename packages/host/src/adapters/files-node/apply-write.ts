import { FilesError, type FileWrite } from '../../ports/files.js';

/** The content of a file after a write. For a new file, `existing` is empty. */
export function applyWrite(existing: Uint8Array, { mode, data, position }: FileWrite): Uint8Array {
  if (!Number.isSafeInteger(position) || position < 0 || position > existing.length) {
    throw new FilesError(
      'badPosition',
      `The position ${position} is not in the file, which has ${existing.length} bytes.`,
    );
  }
  const at = mode === 'append' ? existing.length - position : position;
  const after = mode === 'truncate' ? NOTHING : existing.subarray(at);
  return Buffer.concat([existing.subarray(0, at), data, after]);
}

const NOTHING = new Uint8Array();
