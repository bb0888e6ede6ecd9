import { isObject } from '@moorage/protocol';
import { OBJECT_ID } from './objects.js';

/** Characters at the beginning of a document in which one of its first members is named. */
const BEGINNING_CHARS = 400;

/**
 * The states and contents that a document of a session refers to, if it is a record of what a turn or an operation changed,
 * or of the session's first state. Of changes that no state has, such as those of ignored files, there is none.
 */
export function objectsIn(json: string | undefined): readonly string[] {
  if (json === undefined || !/^\{"(?:turnId|turns|base)":/.test(json.slice(0, BEGINNING_CHARS))) return [];
  const record = parsed(json);
  if (!isObject(record)) return [];
  const end = isObject(record.end) ? record.end : {};
  const files = Array.isArray(end.files) ? end.files : [];
  const changes = files.flatMap((file) => (isObject(file) ? [file, ...listOf(file.steps)] : []));
  const contents = changes.flatMap(({ before, after }) => [before, after].map(contentOf));
  const ids = [record.base, record.begin, end.state, ...contents];
  return [...new Set(ids.filter((id): id is string => typeof id === 'string' && OBJECT_ID.test(id)))];
}

/** The last state of a folder that a record names, and when it was: that after the turn, or before it if it never ended. */
export function stateIn(json: string): string | undefined {
  const record = parsed(json);
  if (!isObject(record) || record.isOperation === true) return undefined;
  const end = isObject(record.end) ? record.end : {};
  const state = end.state ?? record.begin ?? record.base;
  return typeof state === 'string' && OBJECT_ID.test(state) ? state : undefined;
}

/** Undefined for a damaged one: it must not keep others from being read. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Of a submodule there is no content. */
function contentOf(version: unknown): unknown {
  return isObject(version) && version.mode !== '160000' ? version.contentId : undefined;
}
