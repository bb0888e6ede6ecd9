import { changeIn03 } from '../0.3/changes.js';
import type { ChainedAction } from '../chain.js';
import type { Change, Directory, Notice } from '../dialect.js';
import { isUnknownTo } from '../shared/since.js';
import { asList, asObject, mapMember, mapObjects, type WireAction, type WireObject } from '../shared/wire.js';
import type { Around } from '../step.js';
import { activeClient, customization, customizations } from './customization.js';
import { renamedMessage, responsePart, withSuggestion, withToolClient } from './message.js';
import { changesetSummaries } from './session.js';
import { agentInfo, operation } from './state.js';

export function changeIn02(change: Change, directory: Directory): readonly (ChainedAction | Notice)[] {
  return changeIn03(change, directory)
    .flatMap(translateAction)
    .filter((each) => !('action' in each) || !isUnknownTo('0.2.0', each.action.type));
}

/** The action does not have a server's state in the form that 0.2 needs. */
export function needsStateIn02({ action }: Change): boolean {
  return /^session\/mcpServer(StateChanged|StartRequested|StopRequested)$/.test(action.type);
}

function translateAction(later: ChainedAction): readonly (ChainedAction | Notice)[] {
  const { channel, action, around } = later;
  if (action.type === 'session/mcpServerStateChanged') return serverStateChanged(channel, action, around);
  const earlier = earlierAction(action);
  return [earlier === action ? later : { ...later, action: { ...earlier, type: action.type } }];
}

function earlierAction(later: WireObject): WireObject {
  switch (later.type) {
    case 'session/turnStarted':
    case 'session/pendingMessageSet':
      return renamedMessage(later);
    case 'session/responsePart':
      return mapMember(later, 'part', (part) => responsePart(asObject(part)));
    case 'session/toolCallStart':
      return withToolClient(later);
    case 'session/toolCallConfirmed':
      return withSuggestion(later);
    case 'session/customizationsChanged':
      return mapMember(later, 'customizations', customizations);
    case 'session/customizationUpdated':
      return mapMember(later, 'customization', (entry) => customization(asObject(entry)));
    case 'session/activeClientChanged':
      return later.activeClient === null ? later : mapMember(later, 'activeClient', activeClient);
    case 'session/changesetsChanged':
      return mapMember(later, 'changesets', changesetSummaries);
    case 'changeset/operationsChanged':
      return mapMember(later, 'operations', (operations) => mapObjects(operations, operation));
    case 'root/agentsChanged':
      return mapMember(later, 'agents', (agents) => mapObjects(agents, agentInfo));
    default:
      return later;
  }
}

/** A server at the top is shown as a directory whose load state follows the server's; one inside shows no state at all. */
function serverStateChanged(channel: string, action: WireAction, around: Around): readonly (ChainedAction | Notice)[] {
  const { before, after } = around;
  const server = asList(after?.customizations).find(({ id }) => id === action.id);
  const updated =
    server?.type === 'mcpServer'
      ? [{ channel, action: { type: 'session/customizationUpdated', customization: customization(server) }, around }]
      : [];
  const state = asObject(action.state);
  return asksForAuthentication(action.id, before, state) ? [...updated, authRequired(channel, state)] : updated;
}

function asksForAuthentication(id: unknown, before: WireObject | undefined, { kind }: WireObject): boolean {
  const entries = asList(before?.customizations).flatMap((entry) => [entry, ...asList(entry.children)]);
  const was = entries.find((entry) => entry.id === id);
  return kind === 'authRequired' && was?.type === 'mcpServer' && asObject(was.state).kind !== 'authRequired';
}

function authRequired(channel: string, state: WireObject): Notice {
  const { resource } = asObject(state.resource);
  const reason = state.reason === 'expired' ? 'expired' : 'required';
  return { method: 'auth/required', params: { channel, resource, reason } };
}
