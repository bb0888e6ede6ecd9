import type { Dialect, Downward, Subject } from '../dialect.js';
import { channelOf } from '../shared/request-params.js';
import { asObject, mapMember, mapObjects, type WireObject } from '../shared/wire.js';
import { changeIn05, isReplayableIn05 } from './changes.js';
import { chatState, listedSummary, noticeParams, sessionState } from './session.js';
import { actionFrom05, requestFrom05 } from './upward.js';

/** 0.5: sessions without a summary of their own, several active clients, models of messages. */
const down: Downward = {
  mergesChats: false,
  showsDiffs: false,
  broadcasts: false,
  state: stateIn05,
  change: (change) => changeIn05(change),
  isReplayable: isReplayableIn05,
  envelope: (channel, rest) => ({ channel, ...rest }),
  notification: ({ method, params }) => {
    const told = noticeParams(method, params);
    return told && { method, params: told };
  },
  shown: (uri) => uri,
  result: resultIn05,
  error: (error) => error,
};

export const dialect05: Dialect = {
  name: '0.5',
  down,
  up: { request: requestFrom05, channelOf, action: actionFrom05 },
};

function resultIn05(method: string, result: unknown): unknown {
  switch (method) {
    case 'listSessions':
      return mapMember(asObject(result), 'items', (items) => mapObjects(items, listedSummary));
    case 'listDisposedSessions':
      return mapMember(asObject(result), 'items', (items) =>
        mapObjects(items, (item) => mapMember(item, 'summary', (summary) => listedSummary(asObject(summary)))),
      );
    default:
      return result;
  }
}

function stateIn05(subject: Subject): WireObject {
  switch (subject.kind) {
    case 'session':
      return sessionState(subject.state);
    case 'chat':
      return chatState(subject.state);
    default:
      return subject.state;
  }
}
