import { channelOf } from '../1.0/index.js';
import { chain04 } from '../chains.js';
import type { Change, Dialect, Directory, Downward, Notice, Subject, Translated } from '../dialect.js';
import { withoutAdditionalProperties } from '../shared/config-schema.js';
import { asObject, mapMember, mapObject, mapObjects, type WireObject } from '../shared/wire.js';
import { changeIn03, isReplayableIn03, textIn03 } from './changes.js';
import { changesetState } from './changeset.js';
import { attachment, turn } from './message.js';
import { rootState } from './root.js';
import { listedSummary, pseudoSession, sessionState } from './session.js';
import { actionFrom03, requestFrom03 } from './upward.js';

/** 0.3: no chats and no annotations. */
const down: Downward = {
  mergesChats: true,
  showsDiffs: false,
  broadcasts: false,
  keepsEnvelopes: true,
  state: stateIn03,
  change: (change, directory) => textOr(change, () => changeIn03(change, directory)),
  isReplayable: isReplayableIn03,
  envelope: (channel, rest) => ({ channel, ...rest }),
  notification: noticeIn03,
  shown: (uri) => uri,
  result: resultIn03,
  error: (error) => error,
};

export const dialect03: Dialect = {
  name: '0.3',
  down,
  up: { request: requestFrom03, channelOf, action: actionFrom03 },
};

/** Text is translated on its own, and fast. */
export function textOr(change: Change, others: () => readonly Translated[]): readonly Translated[] {
  const text = textIn03(change);
  return text ? [text] : others();
}

export function stateIn03(subject: Subject, directory: Directory): WireObject | undefined {
  const { kind, uri } = subject;
  const later = chain04.state(kind, subject.state, { channel: uri, directory });
  switch (kind) {
    case 'root':
      return rootState(later);
    case 'session': {
      const { chat } = subject;
      return sessionState(later, chat && chain04.state('chat', chat, { channel: chat.resource, directory }));
    }
    case 'chat': {
      const { session } = subject;
      return pseudoSession(later, chain04.state('session', session.state, { channel: session.uri, directory }));
    }
    case 'changeset':
      return changesetState(later);
    case 'annotations':
    case 'automation':
    case 'automationRun':
      return undefined;
    default:
      return later;
  }
}

export function noticeIn03(notice: Notice, directory: Directory): Notice | undefined {
  const later = chain04.notice(notice, directory);
  if (!later) return undefined;
  const { method, params } = later;
  switch (method) {
    case 'root/sessionAdded':
      return { method, params: mapObject(params, 'summary', listedSummary) };
    case 'root/sessionSummaryChanged': {
      const changes = changedMembers(listedSummary(asObject(params.changes)));
      return changes && { method, params: { ...params, changes } };
    }
    default:
      return later;
  }
}

/** Undefined when nothing is left to say. Before 0.4 nothing could be cleared by a change list, so `null` says nothing. */
function changedMembers(changes: WireObject): WireObject | undefined {
  const members = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

export function resultIn03(method: string, result: unknown, directory: Directory): unknown {
  const later = chain04.result(method, result, directory);
  const object = asObject(later);
  switch (method) {
    case 'listSessions':
      return mapMember(object, 'items', (items) => mapObjects(items, listedSummary));
    case 'fetchTurns':
      return mapMember(object, 'turns', (turns) => mapObjects(turns, turn));
    case 'completions':
      return mapMember(object, 'items', (items) =>
        mapObjects(items, (item) => mapObject(item, 'attachment', attachment)),
      );
    case 'resolveSessionConfig':
      return mapObject(object, 'schema', withoutAdditionalProperties);
    default:
      return later;
  }
}
