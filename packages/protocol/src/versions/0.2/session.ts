import { asList, asObject, mapMember, mapObjects, type WireObject, without } from '../shared/wire.js';
import { activeClient, customizations } from './customization.js';
import { renamedMessage, turn } from './message.js';

/** The catalogue of changesets is in the summary, with the counts of each. */
export function sessionState(later: WireObject): WireObject {
  const { changesets, summary, ...others } = later;
  let state: WireObject = { ...others, summary: withChangesets(listedSummary(asObject(summary)), changesets) };
  state = mapMember(state, 'turns', (turns) => mapObjects(turns, turn));
  state = mapMember(state, 'activeTurn', (active) => turn(asObject(active)));
  state = mapMember(state, 'steeringMessage', (pending) => renamedMessage(asObject(pending)));
  state = mapMember(state, 'queuedMessages', (queue) => mapObjects(queue, renamedMessage));
  state = mapMember(state, 'customizations', customizations);
  return mapMember(state, 'activeClient', activeClient);
}

export function listedSummary(later: WireObject): WireObject {
  return without(later, 'changes');
}

export function changesetSummaries(later: unknown): WireObject[] {
  return asList(later).map((entry) => without(entry, 'changeKind'));
}

function withChangesets(summary: WireObject, changesets: unknown): WireObject {
  return changesets === undefined ? summary : { ...summary, changesets: changesetSummaries(changesets) };
}
