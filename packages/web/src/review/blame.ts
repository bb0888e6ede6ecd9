import type { Client } from '@moorage/client';
import type { BlameAuthor, BlameResult } from '@moorage/protocol';
import { createContext, useCallback, useMemo, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import type { DiffLine } from '../diff/compute.js';
import type { ReviewFile } from './file.js';

type Side = 'before' | 'after';

/** Who wrote the lines of a review. */
export interface Blame {
  /** Asks for the authors of a side of a file, once per version of it. */
  want(file: ReviewFile, side: Side): void;
  /** Who added a line, or removed it; undefined if nobody here did, or the answer is not there yet. */
  authorOf(file: ReviewFile, line: DiffLine): BlameAuthor | undefined;
  /** Shows only what a turn changed. */
  showTurn(turnId: string): void;
}

/** Undefined while the user does not want to see it. */
export const BlameContext = createContext<Blame | undefined>(undefined);

/** The side that has the line: a removed one is only in the older text. */
export function sideOf({ kind }: DiffLine): Side {
  return kind === 'removed' ? 'before' : 'after';
}

export function useBlame(uri: string, isWanted: boolean, showTurn: (turnId: string) => void): Blame | undefined {
  const client = useClient();
  const known = useRef(new Map<string, readonly LineAuthors[]>());
  const [revision, setRevision] = useState(0);
  const want = useCallback(
    (file: ReviewFile, side: Side) => {
      const key = keyOf(uri, file, side);
      if (known.current.has(key)) return;
      known.current.set(key, []);
      void readAll(client, uri, file.id, side)
        .then((authors) => known.current.set(key, authors))
        .catch(() => {}) // another kind of host, or a file that has no lines: nothing is shown
        .then(() => setRevision((now) => now + 1));
    },
    [client, uri],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are rendered again when an answer is there
  return useMemo(() => {
    if (!isWanted) return undefined;
    const authorOf = (file: ReviewFile, line: DiffLine) => {
      const side = sideOf(line);
      const number = side === 'before' ? line.oldLine : line.newLine;
      const { addedBy, removedBy } = known.current.get(keyOf(uri, file, side))?.[(number ?? 0) - 1] ?? {};
      return side === 'before' ? removedBy : addedBy;
    };
    return { want, authorOf, showTurn };
  }, [isWanted, want, uri, showTurn, revision]);
}

interface LineAuthors {
  readonly addedBy?: BlameAuthor | undefined;
  readonly removedBy?: BlameAuthor | undefined;
}

function keyOf(uri: string, file: ReviewFile, side: Side): string {
  return `${uri} ${file.id} ${file.version} ${side}`;
}

/** Lines of one request: what a host answers at most. */
const LINES_AT_ONCE = 10_000;

async function readAll(client: Client, channel: string, file: string, side: Side): Promise<LineAuthors[]> {
  const all: LineAuthors[] = [];
  for (;;) {
    const lines = { start: all.length, count: LINES_AT_ONCE };
    const answer = await client.request('moorage/blame', { channel, file, side, lines });
    const more = authorsIn(answer);
    for (const line of more) all.push(line);
    if (more.length === 0 || all.length >= answer.lineCount) return all;
  }
}

function authorsIn({ authors, spans }: BlameResult): LineAuthors[] {
  return spans.flatMap(({ count, addedBy, removedBy }) => {
    const line = { addedBy: authors[addedBy ?? -1], removedBy: authors[removedBy ?? -1] };
    return Array.from({ length: count }, () => line);
  });
}
