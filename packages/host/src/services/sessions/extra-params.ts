import {
  type CreateChatParams,
  type CreateSessionParams,
  isObject,
  type SessionState,
  type URI,
} from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { Folders } from '../../ports/folders.js';
import { MAX_META_CHARS } from '../config/limits.js';
import { workingDirectory } from '../working-directory.js';

/** The `_meta` of a new session. Clients send it although the protocol's types do not name it. */
export function metaParam(params: CreateSessionParams): SessionState['_meta'] {
  const { _meta: meta } = params as { _meta?: unknown };
  if (meta === undefined) return undefined;
  if (!isObject(meta)) throw invalidParams('params/_meta: expected an object');
  if (JSON.stringify(meta).length > MAX_META_CHARS) {
    throw invalidParams(`params/_meta: expected at most ${MAX_META_CHARS} characters of JSON`);
  }
  return meta;
}

/** The working directory of a new chat, which the types do not name either (B-149). */
export function workingDirectoryParam(params: CreateChatParams, folders: Folders): URI | undefined {
  const { workingDirectory: uri } = params as { workingDirectory?: unknown };
  if (uri === undefined) return undefined;
  if (typeof uri !== 'string') throw invalidParams('params/workingDirectory: expected a "file:" URI of a folder');
  return workingDirectory(folders, uri).uri;
}
