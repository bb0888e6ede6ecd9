import { mapObject, type WireObject, without } from '../shared/wire.js';
import type { Step, StepActions } from '../step.js';
import { confirmedDown, deltaDown, readyDown, toolContentDown, toolContentUp, withTextInput } from './tool-call.js';

/** From 0.7 to 0.6: one working directory, input of tools as text, no side chats. */
export const step06: Step = {
  name: '0.6',
  version: '0.6.0',
  down: {
    forms: {
      attachment: knownAttachment,
      toolCall: withTextInput,
      toolContent: toolContentDown,
      chatEntry: (entry) => withKnownChatOrigin(withOneDirectory(entry)),
      session: withOneDirectory,
      summary: withOneDirectory,
      terminal: (terminal) => without(terminal, 'isPty'),
      agent: withKnownCapabilities,
    },
    actions: {
      // The folder of a session or chat is that of the next snapshot.
      'session/workingDirectorySet': 'absent',
      'session/workingDirectoryRemoved': 'absent',
      'chat/workingDirectorySet': 'absent',
      'chat/workingDirectoryRemoved': 'absent',
      'chat/toolCallDelta': deltaDown,
      'chat/toolCallReady': readyDown,
      'chat/toolCallConfirmed': confirmedDown,
    } satisfies StepActions<'0.7.0', '0.6.0'>,
  },
  up: {
    forms: {
      toolContent: toolContentUp,
      chatEntry: withDirectories,
      session: withDirectories,
      summary: withDirectories,
    },
    actions: {},
    request: (method, params) => {
      if (method === 'createSession') return withDirectories(params);
      return method === 'createChat' ? mapObject(withDirectories(params), 'source', withSourceKind) : params;
    },
  },
};

/** Of a session or a chat, in a state, a list or a list of changes. */
function withOneDirectory(later: WireObject): WireObject {
  if (!('workingDirectories' in later)) return later;
  const { workingDirectories, ...others } = later;
  if (workingDirectories === null) return { ...others, workingDirectory: null };
  const first = Array.isArray(workingDirectories) ? workingDirectories[0] : undefined;
  return first === undefined ? others : { ...others, workingDirectory: first };
}

function withDirectories(earlier: WireObject): WireObject {
  if (earlier.workingDirectory === undefined) return earlier;
  const { workingDirectory, ...others } = earlier;
  if (others.workingDirectories !== undefined) return others;
  return { ...others, workingDirectories: workingDirectory === null ? null : [workingDirectory] };
}

/** A side chat looks like a fork. */
function withKnownChatOrigin(later: WireObject): WireObject {
  return mapObject(later, 'origin', (origin) => {
    if (origin.kind !== 'sideChat') return origin;
    const { chat, turnId } = origin;
    return { kind: 'fork', chat, turnId };
  });
}

function withSourceKind(source: WireObject): WireObject {
  return source.kind === undefined ? { kind: 'fork', ...source } : source;
}

/** A conversation that is attached is shown by its name. */
function knownAttachment(later: WireObject): WireObject {
  if (later.type !== 'chat') return later;
  const { resource, endTurn: _, ...others } = later;
  return { ...others, type: 'simple', modelRepresentation: `${String(later.label)}: the chat ${String(resource)}` };
}

function withKnownCapabilities(agent: WireObject): WireObject {
  return mapObject(agent, 'capabilities', (all) =>
    mapObject(without(all, 'multipleWorkingDirectories'), 'multipleChats', (chats) => without(chats, 'sideChat')),
  );
}
