import { useConnectionStatus } from '@moorage/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import { type EditContents, loadEdit } from '../diff/contents.js';
import type { ReviewFile } from './file.js';
import { type FileDiff, fileDiff } from './file-diff.js';

/** Contents loaded at the same time: few, so that files in view come first and the host can serve others. */
const MAX_AT_ONCE = 6;

export interface Diffs {
  /** The diff of a file. A changed file keeps its old diff until the new contents are loaded. */
  get(file: ReviewFile): FileDiff | undefined;
  /** Loads the files in view. Earlier requests that have not started are dropped. */
  want(files: readonly ReviewFile[]): void;
  /** Loads other files once those in view are loaded, instead of those asked for before. */
  loadAlso(files: readonly ReviewFile[]): void;
  /** How many of these have no diff yet. */
  missing(files: readonly ReviewFile[]): number;
  /** Shows a file that is large, or folded for what it is. */
  showLarge(file: ReviewFile): void;
  /** Loads a file again after a failure. */
  retry(file: ReviewFile): void;
  /** Files in view that have changed since they came into view. */
  readonly changed: ReadonlySet<string>;
  /** Changes whenever a diff becomes ready. */
  readonly revision: number;
}

interface Shown {
  readonly version: string;
  /** Identifies what was loaded: file, version, and whether even if large. */
  readonly name: string;
  readonly path: string;
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
  const later = useRef<readonly ReviewFile[]>([]);
  const spaces = useRef(ignoreWhitespace);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [revision, setRevision] = useState(0);

  // Contents arrive one by one, but the rows of thousands of files are rebuilt only once per frame.
  const isScheduled = useRef(false);
  const update = useCallback(() => {
    if (isScheduled.current) return;
    isScheduled.current = true;
    requestAnimationFrame(() => {
      isScheduled.current = false;
      setRevision((now) => now + 1);
    });
  }, []);

  const pump = useCallback(() => {
    for (const file of [...queue.current, ...later.current]) {
      if (running.current.size >= MAX_AT_ONCE) return;
      if (file.noDiff !== undefined) continue;
      const name = `${file.id} ${file.version} ${large.current.has(file.id)}`;
      if (running.current.has(name) || shown.current.get(file.id)?.name === name) continue;
      running.current.add(name);
      void loadEdit(client, file.entry.edit, { evenLarge: large.current.has(file.id) }).then((contents) => {
        running.current.delete(name);
        const before = shown.current.get(file.id)?.version ?? file.version;
        if (before !== file.version) setChanged((now) => new Set(now).add(file.id));
        const diff = fileDiff(contents, file.path, {
          ignoreWhitespace: spaces.current,
          evenFolded: large.current.has(file.id),
        });
        shown.current.set(file.id, { version: file.version, name, path: file.path, contents, diff });
        update();
        pump();
      });
    }
  }, [client, update]);

  const retry = useCallback(
    (file: ReviewFile) => {
      shown.current.delete(file.id);
      queue.current = [file, ...queue.current];
      update();
      pump();
    },
    [pump, update],
  );
  // Loads files again that failed while the host was away.
  const isLive = useConnectionStatus(client) === 'live';
  useEffect(() => {
    if (!isLive) return;
    for (const [id, { contents }] of shown.current) if (contents.kind === 'failed') shown.current.delete(id);
    update();
    pump();
  }, [isLive, pump, update]);

  useEffect(() => {
    spaces.current = ignoreWhitespace;
    for (const [id, entry] of shown.current)
      shown.current.set(id, {
        ...entry,
        diff: fileDiff(entry.contents, entry.path, { ignoreWhitespace, evenFolded: large.current.has(id) }),
      });
    setRevision((now) => now + 1);
  }, [ignoreWhitespace]);

  const get = useCallback((file: ReviewFile) => noteOn(file) ?? shown.current.get(file.id)?.diff, []);
  const want = useCallback(
    (files: readonly ReviewFile[]) => {
      queue.current = files;
      setChanged((now) => stillIn(now, files));
      pump();
    },
    [pump],
  );
  const loadAlso = useCallback(
    (files: readonly ReviewFile[]) => {
      later.current = files;
      if (files.length > 0) pump();
    },
    [pump],
  );
  const missing = useCallback(
    (files: readonly ReviewFile[]) => files.filter((file) => get(file) === undefined).length,
    [get],
  );
  const showLarge = useCallback(
    (file: ReviewFile) => {
      large.current.add(file.id);
      queue.current = [file, ...queue.current];
      pump();
    },
    [pump],
  );
  return { get, want, loadAlso, missing, showLarge, retry, changed, revision };
}

/** Always the same object for the same file: rows are rebuilt when it changes. */
const notes = new WeakMap<ReviewFile, FileDiff>();

function noteOn(file: ReviewFile): FileDiff | undefined {
  if (file.noDiff === undefined) return undefined;
  const note = notes.get(file) ?? { kind: 'note', text: file.noDiff };
  notes.set(file, note);
  return note;
}

/** The changed files that are still in view. */
function stillIn(changed: ReadonlySet<string>, files: readonly ReviewFile[]): ReadonlySet<string> {
  const rest = files.flatMap(({ id }) => (changed.has(id) ? id : []));
  return rest.length === changed.size ? changed : new Set(rest);
}
