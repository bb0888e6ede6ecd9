import type { SessionState } from '../../channels/session/state.js';
import { changeIn03 } from '../0.3/changes.js';
import type { Change, Told } from '../dialect.js';
import { asObject, mapMember, mapObjects, type WireObject } from '../shared/wire.js';
import { activeClient, customization, customizations } from './customization.js';
import { renamedMessage, responsePart, withSuggestion, withToolClient } from './message.js';
import { changesetSummaries } from './session.js';
import { agentInfo, operation } from './state.js';

export function changeIn02(change: Change): readonly Told[] {
  const later = changeIn03(change);
  if (isText(change)) return later; // by far the most frequent, and the same since the first version
  return later.flatMap((told) => ('action' in told ? toldIn02(told, change) : [told]));
}

export function isText({ action }: Change): boolean {
  return action.type === 'chat/delta' || action.type === 'chat/reasoning';
}

/** The action does not have a server's state in the form that 0.2 needs. */
export function needsStateIn02({ action }: Change): boolean {
  return action.type === 'session/mcpServerStateChanged';
}

function toldIn02(told: Extract<Told, { action: WireObject }>, change: Change): readonly Told[] {
  const { channel, action } = told;
  if (action.type === 'session/mcpServerStateChanged') return serverStateChanged(channel, change);
  if (action.type === 'changeset/operationStatusChanged') return [];
  const earlier = earlierAction(action);
  return [earlier === action ? told : { ...told, action: earlier }];
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
function serverStateChanged(channel: string, { action, before, after }: Change): readonly Told[] {
  if (action.type !== 'session/mcpServerStateChanged') return [];
  const server = (after as SessionState | undefined)?.customizations?.find((entry) => entry.id === action.id);
  const told: Told[] =
    server?.type === 'mcpServer'
      ? [{ channel, action: { type: 'session/customizationUpdated', customization: customization(server) } }]
      : [];
  return asksForAuthentication(action.id, before as SessionState | undefined, action.state.kind)
    ? [...told, authRequired(channel, action.state)]
    : told;
}

function asksForAuthentication(id: string, before: SessionState | undefined, kind: string): boolean {
  const entries = (before?.customizations ?? []).flatMap((entry) =>
    entry.type === 'mcpServer' ? [entry] : [entry, ...(entry.children ?? [])],
  );
  const was = entries.find((entry) => entry.id === id);
  return kind === 'authRequired' && was?.type === 'mcpServer' && was.state.kind !== 'authRequired';
}

function authRequired(channel: string, state: WireObject): Told {
  const { resource } = asObject(state.resource);
  const reason = state.reason === 'expired' ? 'expired' : 'required';
  return { method: 'auth/required', params: { channel, resource, reason } };
}
