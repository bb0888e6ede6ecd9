import {
  type CreateChatParams,
  type CreateSessionParams,
  type CreationExtensions,
  CreationExtensionsSchema,
  lenient,
  type SessionState,
  type URI,
} from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { Folders } from '../../ports/folders.js';
import { MAX_META_CHARS } from '../config/limits.js';
import { workingDirectory } from '../working-directory.js';

/** What `_meta` of a new session or chat asks the host for. */
export function creationExtensions({ _meta = {} }: CreateSessionParams | CreateChatParams): CreationExtensions {
  const problem = lenient(CreationExtensionsSchema).explain(_meta);
  if (problem) throw invalidParams(`params/_meta${problem.path}: expected ${problem.expected}`);
  return _meta as CreationExtensions;
}

/** The `_meta` that a new session keeps: that of the request, without what only the creation needs. */
export function metaParam({ _meta }: CreateSessionParams): SessionState['_meta'] {
  if (_meta === undefined) return undefined;
  const { 'moorage.fork': _fork, 'moorage.draft': _draft, ...kept } = _meta;
  if (JSON.stringify(kept).length > MAX_META_CHARS) {
    throw invalidParams(`params/_meta: expected at most ${MAX_META_CHARS} characters of JSON`);
  }
  return kept;
}

/** The working directory of a new chat, if it has one of its own (B-149). */
export function workingDirectoryParam({ workingDirectories }: CreateChatParams, folders: Folders): URI | undefined {
  const [uri] = workingDirectories ?? [];
  return uri === undefined ? undefined : workingDirectory(folders, uri, 'workingDirectories/0').uri;
}
