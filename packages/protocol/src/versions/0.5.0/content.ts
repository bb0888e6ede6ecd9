import { mapMember, mapObject, mapObjects, type WireObject, without } from '../shared/wire.js';

/** 0.5.0 cannot tell from a reference whether its content is still the same. */
export function withoutNonce(later: WireObject): WireObject {
  return without(later, 'nonce');
}

/** A file before and after an edit. */
function fileEdit(later: WireObject): WireObject {
  return mapObject(mapObject(later, 'before', sideOf), 'after', sideOf);
}

function sideOf(side: WireObject): WireObject {
  return mapObject(side, 'content', withoutNonce);
}

export function changedFile(later: WireObject): WireObject {
  return mapObject(later, 'edit', fileEdit);
}

export function toolContent(later: readonly WireObject[]): readonly WireObject[] {
  return later.map((entry) => {
    if (entry.type === 'resource') return withoutNonce(entry);
    return entry.type === 'fileEdit' ? fileEdit(entry) : entry;
  });
}

/** What a tool is called for is not said, either. */
export function toolCall(later: WireObject): WireObject {
  return mapObject(without(later, 'intention'), 'edits', (edits) =>
    mapMember(edits, 'items', (items) => mapObjects(items, fileEdit)),
  );
}
