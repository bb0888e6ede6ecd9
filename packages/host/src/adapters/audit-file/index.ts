import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isObject } from '@moorage/protocol';
import { type Audit, type AuditEntry, AuditError, type AuditPage } from '../../ports/audit.js';

/**
 * An audit in a file that is only appended to, one JSON object a line. Each line has the digest of the one before, so that a
 * change or a removal in the middle shows. Only its owner may read the file. Throws if it cannot be opened.
 */
export function fileAudit(file: string): FileAudit {
  return new FileAudit(file);
}

export class FileAudit implements Audit {
  readonly #file: string;
  readonly #descriptor: number;
  #previous: string;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, 'a+', 0o600);
    const last = lastLine(this.#descriptor);
    if (last.text !== '' && !last.isWhole) writeSync(this.#descriptor, '\n'); // cut off by a crash: it stays, and the chain goes on after it
    this.#previous = last.text === '' ? '' : digestOf(last.text);
  }

  record(entry: AuditEntry): void {
    const line = JSON.stringify({ ...entry, previous: this.#previous });
    writeSync(this.#descriptor, `${line}\n`);
    this.#previous = digestOf(line);
  }

  async read(cursor = '0.'): Promise<AuditPage> {
    const [, start, digest = ''] = /^(\d{1,15})\.([0-9a-f]{16})?$/.exec(cursor) ?? [];
    if (start === undefined) throw new AuditError('expected the "nextCursor" of an earlier answer');
    const file = await open(this.#file, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, Number(start));
      const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      const { entries, last, isIntact } = readLines(buffer.subarray(0, end).toString(), digest);
      const isMore = end > 0 && Number(start) + end < (await file.stat()).size;
      return { items: entries, isIntact, ...(isMore && { next: `${Number(start) + end}.${last}` }) };
    } finally {
      await file.close();
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Bytes of a page; longer than any line. */
const PAGE_BYTES = 256 * 1024;

function readLines(text: string, before: string) {
  const entries: AuditEntry[] = [];
  let [last, isIntact] = [before, true];
  for (const line of text.split('\n').slice(0, -1)) {
    const entry = parsed(line);
    if (entry?.previous !== last) isIntact = false;
    last = digestOf(line);
    if (!entry) continue;
    const { previous: _previous, ...others } = entry;
    entries.push(others);
  }
  return { entries, last, isIntact };
}

function parsed(line: string): (AuditEntry & { readonly previous: string }) | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry = isObject(value) && typeof value.at === 'number' && typeof value.what === 'string';
    return isEntry ? (value as unknown as AuditEntry & { previous: string }) : undefined;
  } catch {
    return undefined; // cut off by a crash
  }
}

/** The end of the file from its last line on. */
function lastLine(descriptor: number): { readonly text: string; readonly isWhole: boolean } {
  const { size } = fstatSync(descriptor);
  const length = Math.min(size, PAGE_BYTES);
  const buffer = Buffer.alloc(length);
  readSync(descriptor, buffer, 0, length, size - length);
  const text = buffer.toString();
  const isWhole = text.endsWith('\n');
  return {
    text:
      text
        .slice(0, isWhole ? -1 : undefined)
        .split('\n')
        .at(-1) ?? '',
    isWhole,
  };
}

function digestOf(line: string): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 16);
}
