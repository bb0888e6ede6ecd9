import type { URI } from '../../common/uri.js';
import { isReplayableIn03 } from '../0.3/changes.js';
import { noticeIn03, resultIn03, textOr } from '../0.3/index.js';
import { channelOf } from '../1.0/index.js';
import { chain04 } from '../chains.js';
import type { Dialect, Directory, Downward, Notice } from '../dialect.js';
import { asObject, mapMember, mapObjects, type WireObject, without } from '../shared/wire.js';
import { changeIn02, needsStateIn02 } from './changes.js';
import { turn } from './message.js';
import { changesetSummaries, listedSummary } from './session.js';
import { stateIn02 } from './state.js';
import { actionFrom02, requestFrom02 } from './upward.js';

/** 0.2: the messages of users, changesets in the summary, MCP servers without a state. */
const down: Downward = {
  mergesChats: true,
  showsDiffs: false,
  broadcasts: false,
  keepsEnvelopes: true,
  state: stateIn02,
  change: (change, directory) => textOr(change, () => changeIn02(change, directory)),
  isReplayable: (change, directory) => isReplayableIn03(change, directory) && !needsStateIn02(change),
  envelope: (channel, rest) => ({ channel, ...rest }),
  notification: noticeIn02,
  shown: (uri) => uri,
  result: resultIn02,
  error: (error) => error,
};

export const dialect02: Dialect = {
  name: '0.2',
  down,
  up: { request: requestFrom02, channelOf, action: actionFrom02 },
};

/** The counts of changes were told with the catalogue of changesets. */
export function noticeIn02(notice: Notice, directory: Directory): Notice | undefined {
  const later = noticeIn03(notice, directory);
  if (!later) return undefined;
  const { method, params } = later;
  if (method === 'root/sessionAdded') {
    return { method, params: mapMember(params, 'summary', (summary) => listedSummary(asObject(summary))) };
  }
  if (method !== 'root/sessionSummaryChanged') return later;
  const all = asObject(params.changes);
  const catalogue = 'changes' in all ? catalogueOf(String(params.session), directory) : undefined;
  const changes: WireObject = {
    ...without(all, 'changes'),
    ...(catalogue !== undefined && { changesets: changesetSummaries(catalogue) }),
  };
  return Object.keys(changes).length > 0 ? { method, params: { ...params, changes } } : undefined;
}

function catalogueOf(uri: URI, directory: Directory): unknown {
  const session = directory.session(uri);
  return session && chain04.state('session', session, { channel: uri, directory }).changesets;
}

export function resultIn02(method: string, result: unknown, directory: Directory): unknown {
  const later = resultIn03(method, result, directory);
  if (method === 'listSessions') {
    return mapMember(asObject(later), 'items', (items) => mapObjects(items, listedSummary));
  }
  if (method === 'fetchTurns') return mapMember(asObject(later), 'turns', (turns) => mapObjects(turns, turn));
  return later;
}
