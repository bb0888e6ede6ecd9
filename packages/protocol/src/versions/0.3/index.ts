import type { Dialect, Downward, Notice, Subject } from '../dialect.js';
import { withoutAdditionalProperties } from '../shared/config-schema.js';
import { channelOf } from '../shared/request-params.js';
import { asObject, mapMember, mapObjects, type WireObject } from '../shared/wire.js';
import { changeIn03, isReplayableIn03 } from './changes.js';
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
  state: stateIn03,
  change: (change) => changeIn03(change),
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

export function stateIn03(subject: Subject): WireObject | undefined {
  switch (subject.kind) {
    case 'root':
      return rootState(subject.state);
    case 'session':
      return sessionState(subject.state, subject.chat);
    case 'chat':
      return pseudoSession(subject.state, subject.session);
    case 'changeset':
      return changesetState(subject.state);
    case 'annotations':
      return undefined;
    default:
      return subject.state;
  }
}

export function noticeIn03({ method, params }: Notice): Notice | undefined {
  switch (method) {
    case 'root/sessionAdded':
      return { method, params: mapMember(params, 'summary', (summary) => listedSummary(asObject(summary))) };
    case 'root/sessionSummaryChanged': {
      const changes = changedMembers(listedSummary(asObject(params.changes)));
      return changes && { method, params: { ...params, changes } };
    }
    default:
      return { method, params };
  }
}

/** Undefined when nothing is left to tell. Before 0.4 nothing could be cleared by a change list, so `null` says nothing. */
function changedMembers(changes: WireObject): WireObject | undefined {
  const members = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

export function resultIn03(method: string, result: unknown): unknown {
  const object = asObject(result);
  switch (method) {
    case 'listSessions':
      return mapMember(object, 'items', (items) => mapObjects(items, listedSummary));
    case 'fetchTurns':
      return mapMember(object, 'turns', (turns) => mapObjects(turns, (native) => turn(native as never)));
    case 'completions':
      return mapMember(object, 'items', (items) =>
        mapObjects(items, (item) => mapMember(item, 'attachment', (native) => attachment(native as never))),
      );
    case 'resolveSessionConfig':
      return mapMember(object, 'schema', (schema) => withoutAdditionalProperties(asObject(schema)));
    default:
      return result;
  }
}
