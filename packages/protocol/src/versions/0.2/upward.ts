import { isObject } from '../../common/is-object.js';
import { actionFrom03, requestFrom03 } from '../0.3/upward.js';
import type { Directory, UpwardAction, WireDispatch } from '../dialect.js';
import type { WireObject } from '../shared/wire.js';

export const requestFrom02 = requestFrom03;

export function actionFrom02({ channel, action }: WireDispatch, directory: Directory): UpwardAction {
  return actionFrom03({ channel, action: { ...laterAction(action), type: action.type } }, directory);
}

/** `userMessage` becomes `message`, written by the user. */
function laterAction(action: WireObject & { readonly type: string }): WireObject {
  switch (action.type) {
    case 'session/turnStarted':
    case 'session/pendingMessageSet': {
      const { userMessage, ...others } = action;
      return { ...others, message: byUser(userMessage) };
    }
    case 'session/toolCallConfirmed': {
      const { userSuggestion } = action;
      return userSuggestion === undefined ? action : { ...action, userSuggestion: byUser(userSuggestion) };
    }
    default:
      return action;
  }
}

/** What is no message stays for the rules to refuse. */
function byUser(userMessage: unknown): unknown {
  return isObject(userMessage) ? { ...userMessage, origin: { kind: 'user' } } : userMessage;
}
