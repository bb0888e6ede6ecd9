import { stateIn02 } from '../0.2/state.js';
import type { Directory, Subject } from '../dialect.js';
import { asObject, mapMember, mapObjects, type WireObject, without } from '../shared/wire.js';
import { activeClient, customizationRefs, sessionCustomizations } from './customization.js';
import { type Era, inputRequest, turn, withUserMessage } from './message.js';
import { shownMember, shownUri } from './uri.js';

export function stateInV1(subject: Subject, directory: Directory, era: Era): WireObject | undefined {
  const later = stateIn02(subject, directory);
  if (!later) return undefined;
  switch (subject.kind) {
    case 'root': {
      const agents = mapMember(later, 'agents', (list) => mapObjects(list, (agent) => agentInfo(agent, era)));
      return mapMember(agents, 'terminals', (list) => mapObjects(list, (info) => withShownClaim(info, directory)));
    }
    case 'session':
      return sessionState(later, subject.diffs, directory, era);
    case 'chat':
      return sessionState(later, undefined, directory, era);
    case 'terminal':
      return withShownClaim(later, directory);
    default:
      return undefined;
  }
}

/** A summary, or some of its members. A list may be long, so its entries are not looked up one by one. */
export function listedSummary(later: WireObject, directory: Directory): WireObject {
  const { provider } = later;
  const names = typeof provider === 'string' ? { providerOf: () => provider } : directory;
  return mapMember(without(later, 'agent', 'changesets'), 'resource', (uri) => shownUri(String(uri), names));
}

export function agentInfo(later: WireObject, era: Era): WireObject {
  const agent = mapMember(later, 'customizations', customizationRefs);
  return era === '0.1' ? agent : mapMember(agent, 'models', (models) => mapObjects(models, (m) => without(m, '_meta')));
}

/** A terminal may be claimed by a session. */
export function withShownClaim(later: WireObject, directory: Directory): WireObject {
  return mapMember(later, 'claim', (claim) =>
    mapMember(asObject(claim), 'session', (session) => shownMember(session, directory)),
  );
}

function sessionState(later: WireObject, diffs: unknown, directory: Directory, era: Era): WireObject {
  const summary = listedSummary(asObject(later.summary), directory);
  let state: WireObject = { ...later, summary: diffs === undefined ? summary : { ...summary, diffs } };
  state = mapMember(state, 'customizations', sessionCustomizations);
  state = mapMember(state, 'turns', (turns) => mapObjects(turns, (item) => turn(item, era)));
  state = mapMember(state, 'activeTurn', (active) => turn(asObject(active), era));
  state = mapMember(state, 'steeringMessage', (pending) => withUserMessage(asObject(pending), era));
  state = mapMember(state, 'queuedMessages', (queue) => mapObjects(queue, (item) => withUserMessage(item, era)));
  state = mapMember(state, 'inputRequests', (requests) => mapObjects(requests, inputRequest));
  return mapMember(state, 'activeClient', activeClient);
}
