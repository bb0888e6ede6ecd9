import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useStatus } from '../connection/use-status.js';
import { type EditContents, loadEdit } from '../diff/contents.js';
import type { ReviewFile } from './file.js';
import { type FileDiff, fileDiff } from './file-diff.js';

/** Contents that are read at the same time: the ones in view come first, and the host has others to serve. */
const MAX_AT_ONCE = 6;

export interface Diffs {
  /** What a file shows now. One that changed keeps what it showed until the new contents are there. */
  get(file: ReviewFile): FileDiff | undefined;
  /** Asks for what is in view; what is not any more, and was not begun, is forgotten. */
  want(files: readonly ReviewFile[]): void;
  showLarge(file: ReviewFile): void;
  /** Reads a file again that could not be read. */
  retry(file: ReviewFile): void;
  /** Files in view that showed something else before. */
  readonly changed: ReadonlySet<string>;
  /** Changes with every diff that becomes ready. */
  readonly revision: number;
}

interface Shown {
  /** The version of the file, and what was asked for of it. */
  readonly version: string;
  readonly name: string;
  readonly contents: EditContents;
  readonly diff: FileDiff;
}

/** The diffs of the files in view, loaded as they come into view. */
export function useDiffs(ignoreWhitespace: boolean): Diffs {
  const client = useClient();
  const shown = useRef(new Map<string, Shown>());
  const large = useRef(new Set<string>());
  const running = useRef(new Set<string>());
  const queue = useRef<readonly ReviewFile[]>([]);
  const spaces = useRef(ignoreWhitespace);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [revision, setRevision] = useState(0);

  // Contents come one by one; the rows of thousands of files are put together once per frame.
  const told = useRef(false);
  const tell = useCallback(() => {
    if (told.current) return;
    told.current = true;
    requestAnimationFrame(() => {
      told.current = false;
      setRevision((now) => now + 1);
    });
  }, []);

  const pump = useCallback(() => {
    for (const file of queue.current) {
      if (running.current.size >= MAX_AT_ONCE) return;
      const name = `${file.id} ${file.version} ${large.current.has(file.id)}`;
      if (running.current.has(name) || shown.current.get(file.id)?.name === name) continue;
      running.current.add(name);
      void loadEdit(client, file.entry.edit, { evenLarge: large.current.has(file.id) }).then((contents) => {
        running.current.delete(name);
        const before = shown.current.get(file.id)?.version ?? file.version;
        if (before !== file.version) setChanged((now) => new Set(now).add(file.id));
        const diff = fileDiff(contents, file.path, spaces.current);
        shown.current.set(file.id, { version: file.version, name, contents, diff });
        tell();
        pump();
      });
    }
  }, [client, tell]);

  const retry = useCallback(
    (file: ReviewFile) => {
      shown.current.delete(file.id);
      queue.current = [file, ...queue.current];
      tell();
      pump();
    },
    [pump, tell],
  );
  // What failed because the host was away is read when it is there again.
  const isLive = useStatus(client) === 'live';
  useEffect(() => {
    if (!isLive) return;
    for (const [id, { contents }] of shown.current) if (contents.kind === 'failed') shown.current.delete(id);
    tell();
    pump();
  }, [isLive, pump, tell]);

  useEffect(() => {
    spaces.current = ignoreWhitespace;
    for (const [id, entry] of shown.current)
      shown.current.set(id, { ...entry, diff: fileDiff(entry.contents, id, ignoreWhitespace) });
    setRevision((now) => now + 1);
  }, [ignoreWhitespace]);

  const get = useCallback((file: ReviewFile) => shown.current.get(file.id)?.diff, []);
  const want = useCallback(
    (files: readonly ReviewFile[]) => {
      queue.current = files;
      setChanged((now) => stillIn(now, files));
      pump();
    },
    [pump],
  );
  const showLarge = useCallback(
    (file: ReviewFile) => {
      large.current.add(file.id);
      queue.current = [file, ...queue.current];
      pump();
    },
    [pump],
  );
  return { get, want, showLarge, retry, changed, revision };
}

/** Those of them that are in view. */
function stillIn(changed: ReadonlySet<string>, files: readonly ReviewFile[]): ReadonlySet<string> {
  const rest = files.flatMap(({ id }) => (changed.has(id) ? id : []));
  return rest.length === changed.size ? changed : new Set(rest);
}
