import {
  asList,
  asObject,
  defined,
  mapMember,
  mapObject,
  mapObjects,
  type WireObject,
  without,
} from '../shared/wire.js';

/** Only the kinds of origin and attachment that 0.3 knows; nothing of what later versions add to a message. */
export function message(later: WireObject): WireObject {
  const { text, origin, attachments, _meta } = later;
  const { kind } = asObject(origin);
  return {
    text,
    origin: { kind: kind === 'agent' || kind === 'tool' ? 'systemNotification' : kind },
    ...(attachments !== undefined && { attachments: asList(attachments).map(attachment) }),
    ...defined('_meta', _meta),
  };
}

export function attachment(later: WireObject): WireObject {
  if (later.type !== 'annotations') return later;
  const { label, range, displayKind, _meta, annotationIds } = later;
  const count = annotationIds ? `${asCount(annotationIds)} annotation(s)` : 'all annotations';
  return {
    type: 'simple',
    label,
    ...defined('range', range),
    ...defined('displayKind', displayKind),
    modelRepresentation: `${String(label)}: ${count} of ${String(later.resource)}`,
    ...defined('_meta', _meta),
  };
}

export function turn(later: WireObject): WireObject {
  return mapObject(activeTurn(later), 'error', errorInfo);
}

export function activeTurn(later: WireObject): WireObject {
  const known = { ...later, message: message(asObject(later.message)) };
  return mapMember(known, 'responseParts', (parts) => mapObjects(parts, responsePart));
}

export function pendingMessage(later: WireObject): WireObject {
  return { ...later, message: message(asObject(later.message)) };
}

export function responsePart(later: WireObject): WireObject {
  if (later.kind !== 'toolCall') return later;
  return mapObject(later, 'toolCall', (call) =>
    call.status === 'cancelled' ? mapObject(call, 'userSuggestion', message) : call,
  );
}

export function errorInfo(later: WireObject): WireObject {
  return without(later, '_meta');
}

function asCount(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
