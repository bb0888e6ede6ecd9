import type { ChangesetState } from '../../channels/changeset/state.js';
import { parseChangesetUri } from '../../channels/changeset/uri.js';
import type { ChatState } from '../../channels/chat/state.js';
import type { SessionState } from '../../channels/session/state.js';
import { SessionStatus } from '../../common/status.js';
import { changeIn02, isText, needsStateIn02 } from '../0.2/changes.js';
import { isReplayableIn03 } from '../0.3/changes.js';
import type { Change, Directory, Notice, Told } from '../dialect.js';
import { asObject, mapMember, mapObjects, type WireObject } from '../shared/wire.js';
import { activeClient, sessionCustomizations, uriOfCustomization } from './customization.js';
import { type Era, inputRequest, responsePart, usageInfo, withSuggestion, withUserMessage } from './message.js';
import { noticeInV1 } from './notices.js';
import { agentInfo, withShownClaim } from './state.js';
import { shownUri } from './uri.js';

export function changeInV1(change: Change, directory: Directory, era: Era): readonly Told[] {
  if (isText(change)) return changeIn02(change).map((told) => addressedTold(told, directory));
  switch (change.kind) {
    case 'changeset':
      return diffsChanged(change, directory);
    case 'resourceWatch':
      return [];
    default:
      return changeIn02(change).flatMap((told): readonly Told[] => {
        if (!('action' in told)) return noticesInV1(told, directory);
        const actions = actionsInV1(told.action, change, era);
        return actions.map((action) => addressedTold({ channel: told.channel, action }, directory));
      });
  }
}

export function isReplayableInV1(change: Change, era: Era): boolean {
  const { action, kind } = change;
  if (kind === 'changeset' || needsStateIn02(change) || !isReplayableIn03(change)) return false;
  switch (action.type) {
    case 'session/ready':
    case 'session/customizationUpdated':
    case 'session/customizationRemoved':
    case 'session/customizationToggled':
      return false;
    case 'chat/responsePart':
      return era === '0.1' || action.part.kind !== 'systemNotification';
    default:
      return true;
  }
}

function noticesInV1(notice: Notice, directory: Directory): readonly Notice[] {
  const told = noticeInV1(notice, directory);
  return told ? [told] : [];
}

function addressedTold(told: Told, directory: Directory): Told {
  if (!('action' in told)) return told;
  return { channel: told.channel, action: addressed(told.action, told.channel, directory) };
}

/** Version 1 names the channel inside the action. */
function addressed(action: WireObject, channel: string, directory: Directory): WireObject {
  const type = String(action.type);
  if (type.startsWith('terminal/')) return { ...withShownClaim(action, directory), terminal: channel };
  if (type === 'root/terminalsChanged') {
    return mapMember(action, 'terminals', (list) => mapObjects(list, (info) => withShownClaim(info, directory)));
  }
  return type.startsWith('session/') ? { ...action, session: shownUri(channel, directory) } : action;
}

function actionsInV1(later: WireObject, change: Change, era: Era): readonly WireObject[] {
  switch (later.type) {
    case 'session/ready':
      return [later, ...flagsAgain(change.session)];
    case 'session/agentChanged':
    case 'session/changesetsChanged':
      return [];
    case 'session/customizationsChanged':
    case 'session/customizationUpdated':
    case 'session/customizationRemoved': {
      const [was, is] = [change.before, change.after ?? change.session] as (SessionState | undefined)[];
      if (!is?.customizations || is.customizations === was?.customizations) return [];
      return [{ type: 'session/customizationsChanged', customizations: sessionCustomizations(is.customizations) }];
    }
    case 'session/customizationToggled': {
      const { id, enabled } = later;
      const uri = uriOfCustomization((change.after as SessionState | undefined)?.customizations, String(id));
      return uri === undefined ? [] : [{ type: later.type, uri, enabled }];
    }
    case 'session/responsePart': {
      const index = ((change.after as ChatState | undefined)?.activeTurn?.responseParts.length ?? 1) - 1;
      const turnId = String(later.turnId);
      return [mapMember(later, 'part', (part) => responsePart(asObject(part), turnId, index, era))];
    }
    default:
      return [earlierAction(later, era)];
  }
}

function earlierAction(later: WireObject, era: Era): WireObject {
  switch (later.type) {
    case 'session/turnStarted':
    case 'session/pendingMessageSet':
      return withUserMessage(later, era);
    case 'session/toolCallConfirmed':
      return withSuggestion(later, era);
    case 'session/usage':
      return mapMember(later, 'usage', (usage) => usageInfo(usage, era));
    case 'session/inputRequested':
      return mapMember(later, 'request', (request) => inputRequest(asObject(request)));
    case 'session/activeClientChanged':
      return later.activeClient === null ? later : mapMember(later, 'activeClient', activeClient);
    case 'root/agentsChanged':
      return mapMember(later, 'agents', (agents) => mapObjects(agents, (agent) => agentInfo(agent, era)));
    default:
      return later;
  }
}

/** The reducer of version 1 resets the status when a session is ready, so the flags that it drops are sent again. */
function flagsAgain(session: SessionState | undefined): WireObject[] {
  const status = session?.summary.status ?? 0;
  return [
    ...(status & SessionStatus.IsRead ? [{ type: 'session/isReadChanged', isRead: true }] : []),
    ...(status & SessionStatus.IsArchived ? [{ type: 'session/isArchivedChanged', isArchived: true }] : []),
  ];
}

const SHOWN: ReadonlySet<string> = new Set([
  'changeset/statusChanged',
  'changeset/fileSet',
  'changeset/fileRemoved',
  'changeset/cleared',
  'changeset/contentChanged',
]);

/** The changeset of the whole session is a list in the session itself; there are no others. */
function diffsChanged({ channel, action, after }: Change, directory: Directory): readonly Told[] {
  const parsed = parseChangesetUri(channel);
  const state = after as ChangesetState | undefined;
  if (parsed?.selector.kind !== 'session' || !SHOWN.has(action.type) || !state || state.status === 'computing') {
    return [];
  }
  const session = shownUri(parsed.session, directory);
  const diffs = state.files.map((file) => file.edit);
  const notification = { type: 'notify/sessionSummaryChanged', session, changes: { diffs } };
  return [
    { channel, action: { type: 'session/diffsChanged', session, diffs }, replaces: `action ${channel}` },
    { method: 'notification', params: { notification }, replaces: `notification ${channel}` },
  ];
}
