import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect } from 'vitest';
import type { FileScope, Files, FileWrite } from '../ports/index.js';

/** The `maxBytes` that the suites pass. */
export const LIMIT = 1000;

/** Sets up, before each test, an empty root and a folder outside it with a secret; returns helpers for the suites. */
export function useFiles(create: () => Files) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-files-')));
  const root = join(base, 'root');
  const outside = join(base, 'outside');
  const files = create();
  const scope: FileScope = {
    may: (access, path) => path.startsWith(`${root}/`) || (path === root && access !== 'remove'),
  };
  beforeEach(() => {
    for (const folder of [root, outside]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    }
    writeFileSync(join(outside, 'secret'), 'secret');
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  const at = (path: string) => join(root, path);
  const change = (data: string, more: Partial<FileWrite> = {}): FileWrite => ({
    data: Buffer.from(data),
    mode: 'truncate',
    position: 0,
    createOnly: false,
    maxBytes: LIMIT,
    ...more,
  });
  return {
    root,
    outside,
    files,
    scope,
    at,
    change,
    get: (path: string) => readFileSync(at(path), 'utf8'),
    put: (path: string, content = path) => writeFileSync(at(path), content),
    write: (path: string, data: string, more?: Partial<FileWrite>) => files.write(at(path), scope, change(data, more)),
    read: async (path: string) => Buffer.from((await files.read(at(path), scope, LIMIT)).bytes).toString(),
    /** `done` if the promise resolves, otherwise the kind of its FilesError. */
    kindOf: (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: { kind?: string; message?: string }) => error.kind ?? `not a FilesError: ${error.message}`,
      ),
    /** Checks that nothing outside was touched and no temporary file is left. */
    expectClean: () => {
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
      expect(readdirSync(root).filter((entry) => entry.startsWith('.moorage-'))).toEqual([]);
    },
  };
}
