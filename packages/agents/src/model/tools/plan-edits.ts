import type { AgentFiles } from '@moorage/host/ports';
import { type FileChange, quote, rewrite } from '../../shared/files/change.js';
import { existing, fileText } from '../../shared/files/content.js';
import { withLineEndingsOf } from '../../shared/files/line-endings.js';
import { readFile } from '../../shared/files/read-file.js';
import { ToolProblem } from '../../shared/tool-problem.js';

export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

/** Works out several replacements in a file, one after the other. The place of each must be unambiguous. */
export async function planEdits(files: AgentFiles, path: string, edits: readonly TextEdit[]): Promise<FileChange> {
  const file = await readFile(files, path);
  const before = fileText(file, existing(file));
  const after = edits.reduce((text, edit) => replaced(text, edit, file.shown), before);
  if (after === before) throw new ToolProblem('noChange', `The edit changes nothing in ${file.shown}.`);
  return rewrite(files, path, file, after);
}

function replaced(text: string, edit: TextEdit, shown: string): string {
  const old = withLineEndingsOf(text, edit.old);
  const pieces = old === '' ? [] : text.split(old);
  if (pieces.length < 2) {
    throw new ToolProblem('noOccurrence', `${shown} does not contain ${quote(edit.old)}. Read it again.`);
  }
  if (pieces.length > 2 && !edit.all) {
    const message = `${shown} contains ${quote(edit.old)} ${pieces.length - 1} times. Give more of the text around it, or "all".`;
    throw new ToolProblem('manyOccurrences', message);
  }
  return pieces.join(withLineEndingsOf(text, edit.new));
}
