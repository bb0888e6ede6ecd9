import { asObject, mapMember, mapObject, type WireObject, without } from '../shared/wire.js';
import type { About, Around, LiftedAction, Step, StepActions } from '../step.js';
import { withOrigin, withTurnId } from './annotation.js';
import { toggledDown, toggledUp, withEnabled, withEnablement } from './customization.js';
import { claimDown, claimUp, exitedDown, withExitCode, withLifecycle } from './terminal.js';
import { errorDown, errorUp, knownPart, responsePartDown, resumeDown, withError, withErrorPart } from './turn.js';

/** From 0.9 to 0.7: errors beside the parts of a turn, exit codes, one decision on each customization, no automations. */
export const step07: Step = {
  name: '0.7',
  version: '0.7.0',
  down: {
    forms: {
      message: withKnownOrigin,
      turn: withError,
      part: knownPart,
      session: (session) => without(lifecycleDown(session), 'origin'),
      summary: (summary) => without(summary, 'origin'),
      customization: withEnabled,
      agent: (agent) =>
        mapObject(agent, 'capabilities', (all) =>
          mapObject(all, 'multipleWorkingDirectories', (capability) => without(capability, 'primaryReplacement')),
        ),
      terminal: withExitCode,
      claim: claimDown,
      annotation: withTurnId,
    },
    actions: {
      'chat/turnResume': resumeDown,
      'session/workingDirectoryReplaced': replacedDirectory,
      'chat/error': errorDown,
      'chat/responsePart': responsePartDown,
      'session/customizationToggled': toggledDown,
      'annotations/updated': withTurnId,
      'terminal/exited': exitedDown,
      // 0.7 forgets the error, so it is said again.
      'changeset/contentChanged': (action, { after }) => (after?.error ? { ...action, error: after.error } : action),
      'automation/createRequested': 'absent',
      'automation/updateRequested': 'absent',
      'automation/set': 'absent',
      'automation/removed': 'absent',
      'automationRun/lifecycleChanged': 'absent',
      'automationRun/sessionSet': 'absent',
      'automationRun/sessionRemoved': 'absent',
      'automationRun/primarySessionChanged': 'absent',
      'automationRun/cancelRequested': 'absent',
    } satisfies StepActions<'0.9.0', '0.7.0'>,
    notice: ({ method, params }) =>
      method === 'auth/required'
        ? { method, params: mapMember(params, 'resource', (resource) => asObject(resource).resource ?? resource) }
        : { method, params },
    result: (method, result) => (method === 'initialize' ? without(result, '_meta', 'automations') : result),
  },
  up: {
    forms: {
      turn: withErrorPart,
      session: lifecycleUp,
      customization: withEnablement,
      terminal: withLifecycle,
      claim: claimUp,
      annotation: withOrigin,
    },
    actions: {
      'chat/error': errorUp,
      'session/customizationToggled': toggledUp,
      'annotations/updated': withOrigin,
      'changeset/contentChanged': contentChangedUp,
    },
    request: (method, params) => (method === 'createSession' ? withFork(params) : params),
  },
};

/** Who wrote a message may be something that 0.7 does not have. */
function withKnownOrigin(later: WireObject): WireObject {
  return mapObject(later, 'origin', (origin) =>
    origin.kind === 'automation' ? { ...origin, kind: 'systemNotification' } : origin,
  );
}

function lifecycleDown(later: WireObject): WireObject {
  return later.lifecycle === 'failed' ? { ...later, lifecycle: 'creationFailed' } : later;
}

function lifecycleUp(earlier: WireObject): WireObject {
  return earlier.lifecycle === 'creationFailed' ? { ...earlier, lifecycle: 'failed' } : earlier;
}

/** A folder that is exchanged: it goes with those after it, and they come back in order. */
function replacedDirectory(_action: WireObject, around: Around) {
  around.needsStates();
  const [before, after] = [directoriesOf(around.before), directoriesOf(around.after)];
  const common = before.findIndex((directory, index) => directory !== after[index]);
  if (common < 0) return [];
  const removed = before.slice(common).map((directory) => ({ type: 'session/workingDirectoryRemoved', directory }));
  const set = after.slice(common).map((directory) => ({ type: 'session/workingDirectorySet', directory }));
  return [...removed, ...set].map((action) => ({ channel: around.channel, action }));
}

function directoriesOf(state: WireObject | undefined): readonly unknown[] {
  return Array.isArray(state?.workingDirectories) ? state.workingDirectories : [];
}

/** The content of a changeset and its error were one action, which cleared an error that it did not have. */
function contentChangedUp(action: WireObject, { channel, state }: About): readonly LiftedAction[] {
  const { error, ...content } = action;
  const changed = { channel, action: { ...content, type: 'changeset/contentChanged' } };
  if (error) return [changed, { channel, action: { type: 'changeset/statusChanged', status: 'error', error } }];
  if (!state?.error) return [changed];
  return [changed, { channel, action: { type: 'changeset/statusChanged', status: state.status } }];
}

/** Since 0.9 only chats are forked; our host goes on copying sessions for those who ask as before. */
function withFork(params: WireObject): WireObject {
  if (params.fork === undefined) return params;
  const { fork, ...others } = params;
  return { ...others, _meta: { ...asObject(params._meta), 'moorage.fork': fork } };
}
