import type { AgentFile, AgentFileContent, AgentFiles } from '@moorage/host/ports';
import { ToolProblem } from '../tool-problem.js';
import { existing, fileText, MAX_EDIT_BYTES, tooLarge } from './content.js';
import { withLineEndingsOf } from './line-endings.js';
import { readFile, withReadableErrors } from './read-file.js';

export interface FileSide {
  readonly uri: string;
  readonly bytes: Uint8Array;
}

/** A change of one file that has been worked out but not made yet. */
export interface FileChange {
  /** Absent when the file is created. */
  readonly before?: FileSide;
  /** Absent when the file is deleted. */
  readonly after?: FileSide;
  /** Makes the change. If the file is no longer as `before`, it changes nothing and rejects with a ToolProblem. */
  apply(): Promise<void>;
}

export async function planWrite(
  files: AgentFiles,
  { path, text }: { path: string; text: string },
): Promise<FileChange> {
  return rewrite(files, path, await readFile(files, path), text);
}

export async function planAppend(files: AgentFiles, edit: { path: string; text: string }): Promise<FileChange> {
  const file = await readFile(files, edit.path);
  const text = file.content ? fileText(file, file.content) : '';
  return rewrite(files, edit.path, file, text + withLineEndingsOf(text, edit.text));
}

export async function planReplace(
  files: AgentFiles,
  edit: { path: string; old: string; new: string },
): Promise<FileChange> {
  const file = await readFile(files, edit.path);
  const text = fileText(file, existing(file));
  const old = withLineEndingsOf(text, edit.old);
  const at = old === '' ? -1 : text.indexOf(old);
  if (at < 0) throw new ToolProblem('noOccurrence', `${file.shown} does not contain ${quote(edit.old)}.`);
  const replaced = text.slice(0, at) + withLineEndingsOf(text, edit.new) + text.slice(at + old.length);
  return rewrite(files, edit.path, file, replaced);
}

export async function planDelete(files: AgentFiles, { path }: { path: string }): Promise<FileChange> {
  const { file, content } = await ownFile(files, path);
  return {
    before: { uri: file.uri, bytes: content.bytes },
    apply: () => withReadableErrors(files.delete(path, content.version)),
  };
}

export async function planRename(files: AgentFiles, { from, to }: { from: string; to: string }): Promise<FileChange> {
  const { file, content } = await ownFile(files, from);
  const target = await readFile(files, to).catch((error: unknown) => {
    throw error instanceof ToolProblem && IS_THERE.has(error.code) ? exists(to) : error;
  });
  if (target.content) throw exists(target.shown);
  return {
    before: { uri: file.uri, bytes: content.bytes },
    after: { uri: target.uri, bytes: content.bytes },
    apply: () => withReadableErrors(files.rename(from, to, content.version)),
  };
}

/** The change that gives a file a whole new text. */
export function rewrite(files: AgentFiles, path: string, file: AgentFile, text: string): FileChange {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_EDIT_BYTES) throw tooLarge(file.shown, bytes.length);
  const { uri, content } = file;
  return {
    ...(content && { before: { uri, bytes: content.bytes } }),
    after: { uri, bytes },
    apply: () => withReadableErrors(files.write(path, bytes, content?.version ?? null)),
  };
}

/** Deleting or renaming a symbolic link would not touch the content that the user was shown, so it is refused. */
async function ownFile(files: AgentFiles, path: string): Promise<{ file: AgentFile; content: AgentFileContent }> {
  const file = await readFile(files, path);
  if (file.isLink) throw new ToolProblem('isLink', `${path} is a symbolic link.`);
  return { file, content: existing(file) };
}

/** Codes of something that exists but cannot be read. */
const IS_THERE: ReadonlySet<string> = new Set(['isFolder', 'notFile', 'tooLarge']);

function exists(shown: string): ToolProblem {
  return new ToolProblem('exists', `${shown} already exists.`);
}

/** The start of a text, to show which one is meant. */
export function quote(text: string): string {
  const start = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(start);
}
