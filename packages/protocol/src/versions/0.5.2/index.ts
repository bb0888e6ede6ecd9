import { asObject, type WireAction, type WireObject, without } from '../shared/wire.js';
import type { Step, StepActions } from '../step.js';
import {
  endUp,
  inputRequestedDown,
  knownPart,
  responsePartDown,
  startUp,
  withInputParts,
  withInputRequests,
} from './chat.js';
import { completeDown, contentChangedDown, knownCall, readyDown, readyUp } from './tool-call.js';

/** From 0.6 to 0.5.2: questions beside the turns, turns without times, reviews under another name. */
export const step052: Step = {
  name: '0.5.2',
  version: '0.5.2',
  down: {
    forms: {
      chat: withInputRequests,
      turn: withoutTimes,
      part: knownPart,
      toolCall: knownCall,
      inputNeeded: (request) => (asksForToken(request) ? undefined : request),
      mcpState: (state) => without(state, 'oauthClient'),
      changesetEntry: (entry) => without(entry, 'capabilities'),
    },
    actions: {
      'session/inputNeededSet': inputNeededDown,
      'chat/toolCallAuthRequired': 'absent',
      'chat/toolCallAuthResolved': 'absent',
      'changeset/filesReviewChanged': reviewDown,
      'chat/turnStarted': withoutTimes,
      'chat/turnComplete': withoutTimes,
      'chat/turnCancelled': withoutTimes,
      'chat/error': withoutTimes,
      'chat/responsePart': responsePartDown,
      'chat/inputRequested': inputRequestedDown,
      'chat/toolCallReady': readyDown,
      'chat/toolCallComplete': completeDown,
      'chat/toolCallContentChanged': contentChangedDown,
    } satisfies StepActions<'0.6.0', '0.5.2'>,
  },
  up: {
    forms: { chat: withInputParts },
    actions: {
      'chat/turnStarted': startUp,
      'chat/turnComplete': endUp,
      'chat/turnCancelled': endUp,
      'chat/error': endUp,
      'chat/toolCallReady': readyUp,
      'changeset/filesReviewedChanged': reviewUp,
    },
  },
  clockActions: new Set(['chat/inputRequested', 'chat/inputAnswerChanged', 'chat/inputCompleted', 'chat/truncated']),
};

function asksForToken({ kind }: WireObject): boolean {
  return kind === 'toolAuthentication';
}

/** The same call may have waited for something else before, which it does no longer. */
function inputNeededDown(action: WireAction): WireObject {
  const request = asObject(action.request);
  return asksForToken(request) ? { type: 'session/inputNeededRemoved', id: request.id } : action;
}

/** Of a turn, or of an action that starts or ends one. */
function withoutTimes(later: WireObject): WireObject {
  if (!('startedAt' in later) && !('duration' in later)) return later;
  const { startedAt: _startedAt, duration: _duration, ...others } = later;
  return others;
}

function reviewDown(action: WireObject): WireObject {
  const { files, ...others } = action;
  return { ...others, type: 'changeset/filesReviewedChanged', fileIds: files };
}

function reviewUp(action: WireObject): WireObject {
  const { fileIds, ...others } = action;
  return { ...others, type: 'changeset/filesReviewChanged', files: fileIds };
}
