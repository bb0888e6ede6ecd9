import { actionFrom10, channelOf } from './1.0/index.js';
import type { Chain } from './chain.js';
import {
  type Dialect,
  type DialectName,
  type Directory,
  inWire,
  type UpwardAction,
  type WireDispatch,
} from './dialect.js';
import { requestWithChats } from './shared/request-params.js';
import { isText } from './shared/text.js';
import { Refusal } from './step.js';

/** The dialect of a version that differs from the native one by the steps of a chain only. */
export function chainedDialect(name: DialectName, chain: Chain): Dialect {
  return {
    name,
    down: {
      mergesChats: false,
      showsDiffs: false,
      broadcasts: false,
      keepsEnvelopes: true,
      state: ({ kind, state, uri }, directory) =>
        chain.has(kind) ? chain.state(kind, state, { channel: uri, directory }) : undefined,
      change: (change, directory) => (isText(change) ? [inWire(change)] : chain.actions(change, directory)),
      isReplayable: (change, directory) => isText(change) || chain.isReplayable(change, directory),
      envelope: (channel, rest) => ({ channel, ...rest }),
      notification: (notice, directory) => chain.notice(notice, directory),
      shown: (uri) => uri,
      result: (method, result, directory) => chain.result(method, result, directory),
      error: (error) => error,
    },
    up: {
      request: (method, params, directory) =>
        requestWithChats(method, chain.request(method, params, directory), directory),
      channelOf,
      action: (dispatch, directory) => chainedAction(chain, dispatch, directory),
    },
  };
}

/** The native form of an action that a client of a chain's version dispatched. */
export function chainedAction(chain: Chain, dispatch: WireDispatch, directory: Directory): UpwardAction {
  if (chain.refuses(dispatch.action.type)) {
    return { kind: 'reject', reason: `unknown action type "${dispatch.action.type}"` };
  }
  const named = actionFrom10(dispatch, directory);
  if (named.kind !== 'action') return named;
  const lifted = chain.lift(named, directory);
  if (lifted instanceof Refusal) return { kind: 'reject', reason: lifted.reason };
  const [action, another] = lifted;
  if (!action || another) return { kind: 'reject', reason: 'only the host may say this' };
  return { kind: 'action', ...action };
}
