import { asObject, type WireObject, without } from '../shared/wire.js';
import type { Step, StepActions } from '../step.js';
import { changedFile, toolCall, toolContent, withoutNonce } from './content.js';

/** From 0.5.1 to 0.5.0: chats with all their turns, and no list of what waits for the user. */
export const step050: Step = {
  name: '0.5.0',
  version: '0.5.0',
  down: {
    forms: {
      chat: (chat) => without(chat, 'turnsNextCursor'),
      session: (session) => without(session, 'inputNeeded'),
      attachment: (attachment) => (attachment.type === 'resource' ? withoutNonce(attachment) : attachment),
      part: (part) => (part.kind === 'contentRef' ? withoutNonce(part) : part),
      toolCall,
      toolContent,
      changedFile,
      agent: (agent) => without(agent, 'capabilities'),
      customization: (entry) => (entry.type === 'agent' ? without(entry, 'model', 'tools') : entry),
    },
    actions: {
      'session/inputNeededSet': 'absent',
      'session/inputNeededRemoved': 'absent',
      'chat/turnsLoaded': 'absent',
    } satisfies StepActions<'0.5.1', '0.5.0'>,
    result: (method, result) => (method === 'listSessions' ? without(result, 'nextCursor') : result),
  },
  up: {
    forms: {},
    actions: {},
    request: (method, params) => {
      if (method === 'subscribe') return without(params, 'view', 'delivery');
      return method === 'fetchTurns' ? withPage(params) : params;
    },
  },
};

/** The page that is asked for is in the answer itself; the native host sends it so on request. */
function withPage(params: WireObject): WireObject {
  const { before, limit, ...others } = params;
  const page = { ...(before !== undefined && { before }), ...(limit !== undefined && { limit }) };
  return { ...others, _meta: { ...asObject(params._meta), 'moorage.page': page } };
}
