import { isObject } from '../../common/is-object.js';
import { AhpErrorCodes } from '../../connection/errors.js';
import { type ErrorBody, JsonRpcErrorCodes } from '../../rpc/errors.js';
import { resultIn02 } from '../0.2/index.js';
import type { Dialect, Directory, Downward } from '../dialect.js';
import { asObject, mapMember, mapObjects } from '../shared/wire.js';
import { changeInV1, isReplayableInV1 } from './changes.js';
import { type Era, turn } from './message.js';
import { noticeInV1 } from './notices.js';
import { listedSummary, stateInV1 } from './state.js';
import { actionFromV1, channelOfV1, requestFromV1 } from './upward.js';
import { shownUri } from './uri.js';

/** Version 1, with an integer in the handshake: channels have no name on the wire, actions name what they are about. */
export const dialectV1 = earlyDialect('v1');

/** 0.1: version 1 with a version number, and a few things that later versions have as well. */
export const dialect01 = earlyDialect('0.1');

function earlyDialect(era: Era): Dialect {
  const down: Downward = {
    mergesChats: true,
    showsDiffs: true,
    broadcasts: true,
    keepsEnvelopes: false,
    state: (subject, directory) => stateInV1(subject, directory, era),
    change: (change, directory) => changeInV1(change, directory, era),
    isReplayable: (change, directory) => isReplayableInV1(change, directory, era),
    envelope: (_channel, { action, serverSeq, origin, rejectionReason }) => ({
      action,
      serverSeq,
      ...(origin && { origin }),
      ...(rejectionReason !== undefined && { rejectionReason }),
    }),
    notification: noticeInV1,
    shown: shownUri,
    result: (method, result, directory) => resultInV1(method, result, directory, era),
    error: (error, method) => errorInV1(error, method, era),
  };
  return {
    name: era,
    down,
    up: {
      request: (method, params, directory) => requestFromV1(method, params, directory, era),
      channelOf: channelOfV1,
      action: actionFromV1,
    },
  };
}

function resultInV1(method: string, result: unknown, directory: Directory, era: Era): unknown {
  const later = resultIn02(method, result, directory);
  const object = asObject(later);
  if (method === 'listSessions') {
    return mapMember(object, 'items', (items) => mapObjects(items, (item) => listedSummary(item, directory)));
  }
  if (method === 'fetchTurns') {
    return mapMember(object, 'turns', (turns) => mapObjects(turns, (item) => turn(item, era)));
  }
  return later;
}

function errorInV1(error: ErrorBody, method: string, era: Era): ErrorBody {
  const { code, message, data } = error;
  if (method === 'subscribe' && code !== JsonRpcErrorCodes.InvalidRequest) {
    return { code: AhpErrorCodes.SessionNotFound, message };
  }
  if (code === AhpErrorCodes.Conflict && era === 'v1') return { code: JsonRpcErrorCodes.InternalError, message };
  if (era === '0.1' || data === undefined) return error;
  if (code === AhpErrorCodes.AuthRequired && isObject(data)) return { code, message, data: data.resources };
  return code === AhpErrorCodes.PermissionDenied || code === AhpErrorCodes.UnsupportedProtocolVersion
    ? { code, message }
    : error;
}
