import { stateIn03 } from '../0.3/index.js';
import type { Directory, Subject } from '../dialect.js';
import { mapMember, mapObjects, type WireObject, without } from '../shared/wire.js';
import { customizations } from './customization.js';
import { sessionState } from './session.js';

export function stateIn02(subject: Subject, directory: Directory): WireObject | undefined {
  const later = stateIn03(subject, directory);
  if (!later) return undefined;
  switch (subject.kind) {
    case 'root':
      return mapMember(later, 'agents', (agents) => mapObjects(agents, agentInfo));
    case 'session':
    case 'chat':
      return sessionState(later);
    case 'changeset':
      return mapMember(later, 'operations', (operations) => mapObjects(operations, operation));
    default:
      return later;
  }
}

export function agentInfo(later: WireObject): WireObject {
  return mapMember(later, 'customizations', customizations);
}

/** Operations had no status yet. */
export function operation(later: WireObject): WireObject {
  return without(later, 'status', 'error');
}
