import type { Client } from '@moorage/client';
import type { ChangesetFile, ChangesetOperationTarget } from '@moorage/protocol';
import { askLine } from '../output/confirm.js';
import { colour, printLine } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { gitDiff } from './git-diff.js';
import { paintDiff } from './paint.js';
import { pathOf } from './paths.js';
import { writeTrees } from './trees.js';

interface Hunk {
  readonly text: string;
  readonly before: { readonly line: number; readonly count: number };
  readonly after: { readonly line: number; readonly count: number };
}

/**
 * Shows every hunk and asks whether to take it. The chosen ones are returned from the bottom of each file to its top, so
 * that an operation on one does not move the lines of the next.
 */
export async function chooseHunks(
  client: Client,
  files: readonly ChangesetFile[],
  folder: string | undefined,
  label: string,
): Promise<ChangesetOperationTarget[]> {
  const chosen: ChangesetOperationTarget[] = [];
  for (const file of files) {
    const { edit } = file;
    const uri = edit.after?.uri ?? edit.before?.uri;
    if (uri === undefined) continue;
    const hunks = edit.before && edit.after ? await hunksOf(client, file, folder) : [];
    const whole: ChangesetOperationTarget = { kind: 'resource', resource: uri, side: edit.after ? 'after' : 'before' };
    const targets: ChangesetOperationTarget[] = [];
    printLine(colour.bold(plainLine(pathOf(uri, folder))));
    let rest: 'ask' | 'all' | 'none' = 'ask';
    for (const hunk of hunks) {
      printLine(paintDiff(hunk.text));
      const answer: Choice = rest === 'ask' ? await choice(`${plainLine(label)} this hunk?`) : rest;
      if (answer === 'quit') return [...chosen, ...targets.reverse()];
      if (answer === 'all' || answer === 'none') rest = answer;
      if (answer === 'yes' || answer === 'all') targets.push(rangeOf(hunk, edit));
    }
    if (hunks.length === 0) {
      const answer = await choice(`${plainLine(label)} this file?`);
      if (answer === 'quit') return chosen;
      if (answer === 'yes' || answer === 'all') targets.push(whole);
    }
    chosen.push(...targets.reverse());
  }
  return chosen;
}

type Choice = 'yes' | 'no' | 'all' | 'none' | 'quit';
const CHOICES: ReadonlyMap<string, Choice> = new Map([
  ['y', 'yes'],
  ['n', 'no'],
  ['a', 'all'],
  ['d', 'none'],
  ['q', 'quit'],
]);

async function choice(question: string): Promise<Choice> {
  for (;;) {
    const line = await askLine(`${question} [y,n,a,d,q,?] `);
    if (line === undefined) return 'quit';
    const found = CHOICES.get(line.toLowerCase());
    if (found) return found;
    printLine(
      'y: this one, n: not this one, a: this and all others of the file, d: none of the rest of the file, q: stop',
    );
  }
}

async function hunksOf(client: Client, file: ChangesetFile, folder: string | undefined): Promise<Hunk[]> {
  const trees = await withProgress('reading files', writeTrees(client, [file], folder));
  try {
    return parseHunks((await gitDiff(trees, ['-U0'])).toString());
  } finally {
    trees.remove();
  }
}

function parseHunks(diff: string): Hunk[] {
  return diff.split(/^(?=@@ )/m).flatMap((text) => {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (!head) return [];
    const part = (line: string | undefined, count: string | undefined) => ({
      line: Number(line),
      count: Number(count ?? 1),
    });
    return [{ text: text.trimEnd(), before: part(head[1], head[2]), after: part(head[3], head[4]) }];
  });
}

/** The lines of a hunk as the protocol counts them, from 0, on the side that has any. */
function rangeOf({ before, after }: Hunk, edit: ChangesetFile['edit']): ChangesetOperationTarget {
  const side = after.count > 0 ? 'after' : 'before';
  const { line, count } = side === 'after' ? after : before;
  const range = { start: { line: line - 1, character: 0 }, end: { line: line + count - 2, character: 1 } };
  return { kind: 'range', resource: edit[side]?.uri ?? '', side, range };
}
