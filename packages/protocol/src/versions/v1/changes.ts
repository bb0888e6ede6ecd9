import type { ChangesetState } from '../../channels/changeset/state.js';
import { parseChangesetUri } from '../../channels/changeset/uri.js';
import type { SessionState } from '../../channels/session/state.js';
import { SessionStatus } from '../../common/status.js';
import { changeIn02, needsStateIn02 } from '../0.2/changes.js';
import { isReplayableIn03, textIn03 } from '../0.3/changes.js';
import type { ChainedAction } from '../chain.js';
import type { AddressedAction, Change, Directory, Notice, Translated } from '../dialect.js';
import { isUnknownTo } from '../shared/since.js';
import {
  asList,
  asObject,
  isSameJson,
  mapMember,
  mapObject,
  mapObjects,
  type WireAction,
  type WireObject,
} from '../shared/wire.js';
import type { Around } from '../step.js';
import { activeClient, sessionCustomizations, uriOfCustomization } from './customization.js';
import { type Era, inputRequest, responsePart, usageInfo, withSuggestion, withUserMessage } from './message.js';
import { wrappedNotice } from './notices.js';
import { agentInfo, withShownClaim } from './state.js';
import { shownUri } from './uri.js';

export function changeInV1(change: Change, directory: Directory, era: Era): readonly Translated[] {
  const text = textIn03(change);
  if (text) return [addressedText(text, directory)];
  switch (change.kind) {
    case 'changeset':
      return diffsChanged(change, directory);
    case 'resourceWatch':
      return [];
    default: {
      const later = changeIn02(change, directory);
      return later.flatMap((each, index): readonly Translated[] => {
        if (!('action' in each)) return noticesInV1(each, directory);
        const { channel } = each;
        const actions = actionsInV1(each, later.slice(index + 1), change, era);
        return actions
          .filter(({ type }) => !isUnknownTo('0.1.0', type))
          .map((action) => addressed({ channel, action }, directory));
      });
    }
  }
}

export function isReplayableInV1(change: Change, directory: Directory, era: Era): boolean {
  const { action, kind } = change;
  if (kind === 'changeset' || needsStateIn02(change) || !isReplayableIn03(change, directory)) return false;
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
  const wrapped = wrappedNotice(notice, directory);
  return wrapped ? [wrapped] : [];
}

/** Text comes by the thousand, hence the fixed members. */
function addressedText({ channel, action }: AddressedAction, directory: Directory): AddressedAction {
  const { type, turnId, partId, content } = action;
  return { channel, action: { type, turnId, partId, content, session: shownUri(channel, directory) } };
}

/** Version 1 names the channel inside the action. */
function addressed({ channel, action }: AddressedAction, directory: Directory): AddressedAction {
  const { type } = action;
  if (type.startsWith('terminal/')) {
    return { channel, action: { ...withShownClaim(action, directory), type, terminal: channel } };
  }
  if (type === 'root/terminalsChanged') {
    const shown = mapMember(action, 'terminals', (list) => mapObjects(list, (info) => withShownClaim(info, directory)));
    return { channel, action: { ...shown, type } };
  }
  if (!type.startsWith('session/')) return { channel, action };
  return { channel, action: { ...action, session: shownUri(channel, directory) } };
}

function actionsInV1(
  { action, around }: ChainedAction,
  following: readonly Translated[],
  change: Change,
  era: Era,
): readonly WireAction[] {
  switch (action.type) {
    case 'session/ready':
      return [action, ...flagsAgain(change.session?.state)];
    case 'session/agentChanged':
      return [];
    case 'session/customizationsChanged':
    case 'session/customizationUpdated':
    case 'session/customizationRemoved': {
      const [was, is] = [around.before?.customizations, (around.after ?? around.session)?.customizations];
      if (!is || isSameJson(was, is)) return [];
      return [{ type: 'session/customizationsChanged', customizations: sessionCustomizations(is) }];
    }
    case 'session/customizationToggled': {
      const { type, id, enabled } = action;
      const uri = uriOfCustomization(around.after?.customizations, String(id));
      return uri === undefined ? [] : [{ type, uri, enabled }];
    }
    case 'session/responsePart':
      return [partAction(action, indexOfPart(around, following), era)];
    default:
      return [earlierAction(action, era)];
  }
}

function partAction(action: WireAction, index: number, era: Era): WireAction {
  const turnId = String(action.turnId);
  return { ...mapObject(action, 'part', (part) => responsePart(part, turnId, index, era)), type: action.type };
}

/** Where a part of the active turn is: at the end, but for those that come with the same change. */
function indexOfPart({ after }: Around, following: readonly Translated[]): number {
  const parts = asList(asObject(after?.activeTurn).responseParts).length || 1;
  return parts - 1 - following.filter((each) => 'action' in each && each.action.type === 'session/responsePart').length;
}

function earlierAction(later: WireAction, era: Era): WireAction {
  return { ...knownMembers(later, era), type: later.type };
}

function knownMembers(later: WireAction, era: Era): WireObject {
  switch (later.type) {
    case 'session/turnStarted':
    case 'session/pendingMessageSet':
      return withUserMessage(later, era);
    case 'session/toolCallConfirmed':
      return withSuggestion(later, era);
    case 'session/usage':
      return mapMember(later, 'usage', (usage) => usageInfo(usage, era));
    case 'session/inputRequested':
      return mapObject(later, 'request', inputRequest);
    case 'session/activeClientChanged':
      return later.activeClient === null ? later : mapMember(later, 'activeClient', activeClient);
    case 'root/agentsChanged':
      return mapMember(later, 'agents', (agents) => mapObjects(agents, (agent) => agentInfo(agent, era)));
    default:
      return later;
  }
}

/** The reducer of version 1 resets the status when a session is ready, so the flags that it drops are sent again. */
function flagsAgain(session: SessionState | undefined): WireAction[] {
  const status = session?.status ?? 0;
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
function diffsChanged({ channel, action, after }: Change, directory: Directory): readonly Translated[] {
  const parsed = parseChangesetUri(channel);
  const state = after as ChangesetState | undefined;
  if (parsed?.selector.kind !== 'session' || !SHOWN.has(action.type) || !state) return [];
  if (state.status === 'computing' || state.status === 'recomputing') return [];
  const session = shownUri(parsed.session, directory);
  const diffs = state.files.map((file) => file.edit);
  const notification = { type: 'notify/sessionSummaryChanged', session, changes: { diffs } };
  return [
    { channel, action: { type: 'session/diffsChanged', session, diffs }, replaces: `action ${channel}` },
    { method: 'notification', params: { notification }, replaces: `notification ${channel}` },
  ];
}
