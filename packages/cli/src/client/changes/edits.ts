import type { Client } from '@moorage/client';
import type { FileEdit } from '@moorage/protocol';
import { plainContent, plainLine } from '../output/plain.js';
import { gitDiff } from './git-diff.js';
import { statLine, statOf } from './summary.js';
import { writeTrees } from './trees.js';

/** For each edit a line that names the file, and the hunks of its diff. */
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

/** By index, which also names the files in the trees: an edit may be of any file, also outside the session's folder. */
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
