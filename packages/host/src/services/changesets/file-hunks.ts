import type { Contents, Hunk } from '../../ports/contents.js';
import type { FileChange } from '../../ports/workspace.js';
import { wholeHunk } from './hunks.js';
import { OperationRefused } from './refused.js';

/** The lines that changed in a file; undefined when it is not text. */
export async function hunksOf(contents: Contents, { before, after }: FileChange): Promise<readonly Hunk[] | undefined> {
  const isText = [before, after].every((version) => version === undefined || version.mode.startsWith('100'));
  if (!isText) return undefined;
  if (before && after) return contents.hunks(before.contentId, after.contentId);
  const [side, only] = before ? (['before', before] as const) : (['after', after] as const);
  const content = only && (await contentOf(contents, only.contentId));
  return !content || content.includes(0) ? undefined : wholeHunk(content, side);
}

export async function contentOf(contents: Contents, id: string): Promise<Uint8Array> {
  const content = await contents.read(id);
  if (!content) throw new OperationRefused('The content of this file is not kept by the host; nothing was changed.');
  return content;
}
