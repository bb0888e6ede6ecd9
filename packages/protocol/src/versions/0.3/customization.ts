import { mapMember, mapObject, mapObjects, type WireObject } from '../shared/wire.js';
import { errorInfo } from './message.js';

/** Only what 0.3 knows of why a server failed. */
export function mcpState(later: WireObject): WireObject {
  return mapObject(later, 'error', errorInfo);
}

export function customization(later: WireObject): WireObject {
  const own = mapObject(later, 'state', mcpState);
  return mapMember(own, 'children', (children) => mapObjects(children, (child) => mapObject(child, 'state', mcpState)));
}

/** The list of a session, of an agent or of a client. */
export function withCustomizations(later: WireObject): WireObject {
  return mapMember(later, 'customizations', (list) => mapObjects(list, customization));
}
