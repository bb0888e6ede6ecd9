import { fileUri } from '../../common/file-uri.js';
import { isObject } from '../../common/is-object.js';
import { asObject, mapMember, mapObjects, type WireObject, without } from '../shared/wire.js';

/** Version 1 before and after it learned tagged attachments, notices of the system and `_meta` (0.1). */
export type Era = 'v1' | '0.1';

function userMessage(later: unknown, era: Era): WireObject {
  const message = asObject(later);
  if (era === '0.1') return message;
  const plain = without(message, '_meta');
  const { attachments } = plain;
  return Array.isArray(attachments) ? { ...plain, attachments: attachments.flatMap(earlierAttachment) } : plain;
}

export function withUserMessage(later: WireObject, era: Era): WireObject {
  return mapMember(later, 'userMessage', (message) => userMessage(message, era));
}

export function turn(later: WireObject, era: Era): WireObject {
  const id = String(later.id);
  const parts = mapMember(withUserMessage(later, era), 'responseParts', (list) =>
    mapObjects(list, (part, index) => responsePart(part, id, index, era)),
  );
  return mapMember(parts, 'usage', (usage) => usageInfo(usage, era));
}

/** A system notification becomes text; its id follows from its place, so that snapshots and actions agree on it. */
export function responsePart(later: WireObject, turnId: string, index: number, era: Era): WireObject {
  if (era === '0.1') return later;
  if (later.kind === 'toolCall') return mapMember(later, 'toolCall', (call) => withSuggestion(asObject(call), era));
  if (later.kind !== 'systemNotification') return later;
  const { content } = later;
  const text = isObject(content) ? content.markdown : content;
  return { kind: 'markdown', id: `sys-${turnId}-${index}`, content: text };
}

export function withSuggestion(later: WireObject, era: Era): WireObject {
  return mapMember(later, 'userSuggestion', (message) => userMessage(message, era));
}

export function usageInfo(later: unknown, era: Era): unknown {
  return era === '0.1' ? later : without(asObject(later), '_meta');
}

/** `message` of a request for input was required at first. */
export function inputRequest(later: WireObject): WireObject {
  return typeof later.message === 'string' ? later : { ...later, message: '' };
}

/** Both eras of attachments as native ones. */
export function nativeMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  return mapMember(message, 'attachments', (list) => mapObjects(list, nativeAttachment));
}

function earlierAttachment(later: unknown): WireObject[] {
  const attachment = asObject(later);
  const { label, displayKind, selection, uri, data, contentType } = attachment;
  if (attachment.type === 'resource') {
    const isSelection = selection !== undefined || displayKind === 'selection';
    const type = displayKind === 'directory' ? 'directory' : isSelection ? 'selection' : 'file';
    return [{ type, uri, path: uri, displayName: label }];
  }
  if (attachment.type !== 'embeddedResource') return []; // nothing that could be opened
  const embedded = `data:${String(contentType)};base64,${String(data)}`;
  return [{ type: 'file', uri: embedded, path: embedded, displayName: label }];
}

const DISPLAY_KINDS: ReadonlyMap<unknown, string> = new Map([
  ['file', 'document'],
  ['directory', 'directory'],
  ['selection', 'selection'],
]);

function nativeAttachment(earlier: WireObject): WireObject {
  const displayKind = DISPLAY_KINDS.get(earlier.type);
  if (displayKind === undefined) return earlier; // tagged already
  const { uri: given, path, displayName } = earlier;
  const uri = given ?? (typeof path === 'string' ? uriOfPath(path) : path);
  const label =
    displayName ??
    String(uri)
      .split('/')
      .findLast((segment) => segment !== '');
  return { type: 'resource', uri, label, displayKind };
}

function uriOfPath(path: string): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return path;
  return fileUri(path.startsWith('/') ? path : `/${path}`);
}
