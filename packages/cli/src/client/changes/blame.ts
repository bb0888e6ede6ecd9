import type { Client } from '@moorage/client';
import { RpcError } from '@moorage/client';
import {
  type BlameAuthor,
  type BlameResult,
  type ChangesetFile,
  type ChatState,
  JsonRpcErrorCodes,
} from '@moorage/protocol';
import { CommandError } from '../errors.js';
import { colour } from '../output/out.js';
import { gitDiff } from './git-diff.js';
import { paintDiff } from './paint.js';
import { writeTrees } from './trees.js';

/** Who wrote the lines of a file, by side. A side that has no lines is missing. */
export interface FileBlame {
  readonly before?: BlameResult;
  readonly after?: BlameResult;
}

/** Asks for the authors of all lines of a file; empty if it has no lines. */
export async function readBlame(client: Client, changeset: string, file: ChangesetFile): Promise<FileBlame> {
  const read = async (side: 'before' | 'after'): Promise<BlameResult | undefined> => {
    if (!file.edit[side] || file.edit.diff?.added === undefined) return undefined;
    const ask = (start: number) => {
      const lines = { start, count: LINES_AT_ONCE };
      return client.request('moorage/blame', { channel: changeset, file: file.id, side, lines });
    };
    let all = await ask(0);
    while (linesIn(all) < all.lineCount) all = joined(all, await ask(linesIn(all)));
    return all;
  };
  try {
    const [before, after] = [await read('before'), await read('after')];
    return { ...(before && { before }), ...(after && { after }) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.code === JsonRpcErrorCodes.InvalidParams) return {};
    if (error.code === JsonRpcErrorCodes.MethodNotFound)
      throw new CommandError('this host does not know who wrote what');
    throw error;
  }
}

/** The diff of a file with who wrote or removed each line before it. */
export async function blamedDiff(
  client: Client,
  { file, blame, folder, chat }: BlamedFile,
): Promise<{ readonly text: string; readonly missing: readonly string[] }> {
  const trees = await writeTrees(client, [file], folder);
  try {
    const lines = (await gitDiff(trees, [])).toString().replace(/\n$/, '').split('\n');
    const authors = { before: authorsOf(blame.before), after: authorsOf(blame.after) };
    let next: { before: number; after: number } | undefined;
    const labelled = lines.map((line) => {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
      if (hunk) next = { before: Number(hunk[1]) - 1, after: Number(hunk[2]) - 1 };
      if (hunk || !next || line.startsWith('\\')) return paintDiff(line);
      const [isRemoved, isAdded] = [line.startsWith('-'), line.startsWith('+')];
      const { addedBy, removedBy } =
        (isRemoved ? authors.before[next.before] : authors.after[next.after]) ?? NO_AUTHORS;
      if (!isAdded) next.before++;
      if (!isRemoved) next.after++;
      const label = labelOf(isRemoved ? removedBy : addedBy, chat)
        .slice(0, LABEL_CHARS)
        .padEnd(LABEL_CHARS);
      return `${colour.dim(label)} ${paintDiff(line)}`;
    });
    return { text: lines.length === 1 && lines[0] === '' ? '' : `${labelled.join('\n')}\n`, missing: trees.missing };
  } finally {
    trees.remove();
  }
}

interface BlamedFile {
  readonly file: ChangesetFile;
  readonly blame: FileBlame;
  readonly folder: string | undefined;
  /** The chat whose turns have numbers. */
  readonly chat: ChatState;
}

/** Lines of one request: what a host answers at most. */
const LINES_AT_ONCE = 10_000;

const LABEL_CHARS = 12;

interface Authors {
  readonly addedBy?: BlameAuthor | undefined;
  readonly removedBy?: BlameAuthor | undefined;
}

const NO_AUTHORS: Authors = {};

function authorsOf(blame: BlameResult | undefined): Authors[] {
  if (!blame) return [];
  const author = (number: number | undefined) => (number === undefined ? undefined : blame.authors[number]);
  return blame.spans.flatMap(({ count, addedBy, removedBy }) =>
    Array.from({ length: count }, () => ({ addedBy: author(addedBy), removedBy: author(removedBy) })),
  );
}

/** In few letters: "turn 3", "user", "shared", "other chat"; nothing for lines that nobody here wrote. */
function labelOf(author: BlameAuthor | undefined, { turns, activeTurn }: ChatState): string {
  if (!author) return '';
  if (author.whose !== 'agent') return author.whose;
  const ids = [...turns.map(({ id }) => id), ...(activeTurn ? [activeTurn.id] : [])];
  const number = Math.max(...(author.turns ?? []).map(({ turnId }) => ids.indexOf(turnId))) + 1;
  return number > 0 ? `turn ${number}` : 'other chat';
}

function linesIn({ spans }: BlameResult): number {
  return spans.reduce((sum, { count }) => sum + count, 0);
}

function joined(first: BlameResult, more: BlameResult): BlameResult {
  const offset = first.authors.length;
  const moved = more.spans.map(({ start, count, addedBy, removedBy }) => ({
    start,
    count,
    ...(addedBy !== undefined && { addedBy: addedBy + offset }),
    ...(removedBy !== undefined && { removedBy: removedBy + offset }),
  }));
  // A file that became shorter meanwhile has no more lines.
  const lineCount = more.spans.length === 0 ? linesIn(first) : more.lineCount;
  return { authors: [...first.authors, ...more.authors], spans: [...first.spans, ...moved], lineCount };
}
