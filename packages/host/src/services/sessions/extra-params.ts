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
import { foldersProblem, usableFolders } from './several-folders.js';

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

/** Whose folders they are. */
export interface FoldersOf {
  /** Whether the agent takes more than one; otherwise the first counts. */
  readonly takesSeveral: boolean;
  /** VS Code names all folders of its window, whatever they are; what does not fit is left out. */
  readonly isVscode: boolean;
}

/** The folders that a new session or chat names (B-149); undefined if it names none. Throws if it cannot have them. */
export function workingDirectoriesParam(
  { workingDirectories = [] }: Pick<CreateChatParams, 'workingDirectories'>,
  folders: Folders,
  { takesSeveral, isVscode }: FoldersOf,
): URI[] | undefined {
  const [first, ...others] = workingDirectories;
  if (first === undefined) return undefined;
  const primary = workingDirectory(folders, first, 'workingDirectories/0').uri;
  if (!takesSeveral) return [primary];
  if (isVscode) return usableFolders(folders, [primary, ...others]);
  const all = others.map((uri, index) => workingDirectory(folders, uri, `workingDirectories/${index + 1}`).uri);
  const problem = foldersProblem(folders, [primary, ...all]);
  if (problem !== undefined) throw invalidParams(`params/workingDirectories: ${problem}`);
  return [primary, ...all];
}
