import { resolve } from 'node:path';
import { type FileEdit, fileUri } from '@moorage/protocol';
import { countChangedLines } from '../../shared/files/count-lines.js';
import { type Fields, fields, text } from '../../shared/untrusted.js';
import type { MappingPorts } from './ports.js';

/** A change of a file as an agent describes it: whole contents, or the part that changes. */
export interface Diff {
  readonly path: string;
  /** Undefined when there was no file. */
  readonly before: string | undefined;
  /** Undefined when the file is deleted. */
  readonly after: string | undefined;
}

export function readDiff(content: Fields): Diff | undefined {
  const path = text(content.path);
  const newText = text(content.newText);
  if (!path || newText === undefined) return undefined;
  const kind = fields(content._meta).kind;
  const before = kind === 'add' ? undefined : text(content.oldText);
  return { path, before, after: kind === 'delete' ? undefined : newText };
}

/** The same change for clients, with both contents stored so that they can read them. */
export function fileEdit({ path, before, after }: Diff, ports: MappingPorts): FileEdit {
  const uri = fileUri(resolve(ports.workingDirectory ?? '/', path));
  const side = (content: string) => ({ uri, content: ports.storeContent(content, 'text/plain') });
  return {
    ...(before !== undefined && { before: side(before) }),
    ...(after !== undefined && { after: side(after) }),
    diff: { ...countChangedLines(before ?? '', after ?? '') },
  };
}
