import type { Client } from '@ahpd/client';
import type { FileEdit } from '@ahpd/protocol';
import { plainContent, plainLine } from '../output/plain.js';
import { gitDiff } from './git-diff.js';
import { statLine, statOf } from './summary.js';
import { writeTrees } from './trees.js';

/** What edits do to their files: for each a line that names it, and then what comes and goes, as a diff has it. */
export async function editLines(
  client: Client,
  edits: readonly FileEdit[],
  folder: string | undefined,
): Promise<{ readonly title: string; readonly hunks: readonly string[] }[]> {
  const hunks = await hunksOf(client, edits).catch(
    (error: Error) => new Map(edits.map((_edit, index) => [index, [`(cannot be shown: ${plainLine(error.message)})`]])),
  );
  return edits.map((edit, index) => ({ title: statLine(statOf({ edit }, folder)), hunks: hunks.get(index) ?? [] }));
}

/** By number. The names in the trees are numbers, too: an edit may be of any file, also outside of the session's folder. */
async function hunksOf(client: Client, edits: readonly FileEdit[]): Promise<Map<number, string[]>> {
  const trees = await writeTrees(client, edits.map(withNumber), undefined);
  try {
    const diff = plainContent((await gitDiff(trees, ['--no-renames'])).toString());
    const files = diff.split(/^(?=diff --git a\/\d+ b\/\d+$)/m);
    return new Map(
      files.map((file) => {
        const hunks = /^@@ .*/ms.exec(file)?.[0] ?? (/^Binary files/m.test(file) ? '(not text)' : '');
        return [Number(/\d+/.exec(file)?.[0]), hunks.trimEnd().split('\n')];
      }),
    );
  } finally {
    trees.remove();
  }
}

function withNumber({ before, after }: FileEdit, index: number): { readonly edit: FileEdit } {
  const uri = String(index);
  return { edit: { ...(before && { before: { ...before, uri } }), ...(after && { after: { ...after, uri } }) } };
}
