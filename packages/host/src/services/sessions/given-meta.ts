import { type CreateSessionParams, isObject, type SessionState } from '@ahpd/protocol';
import { invalidParams } from '../../core/errors.js';
import { MAX_META_CHARS } from '../config/limits.js';

/** The `_meta` that a client gives a new session; the types of the protocol do not name it, and clients send it. */
export function givenMeta(params: CreateSessionParams): SessionState['_meta'] {
  const { _meta: meta } = params as { _meta?: unknown };
  if (meta === undefined) return undefined;
  if (!isObject(meta)) throw invalidParams('params/_meta: expected an object');
  if (JSON.stringify(meta).length > MAX_META_CHARS) {
    throw invalidParams(`params/_meta: expected at most ${MAX_META_CHARS} characters of JSON`);
  }
  return meta;
}
