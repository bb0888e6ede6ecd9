import type { ChatState } from '../../channels/chat/state.js';
import { type WireObject, without } from '../shared/wire.js';
import type { About, Step, StepActions } from '../step.js';
import {
  defaultChatDown,
  draftDown,
  emptyDraft,
  selectedUp,
  selectionMembers,
  startUp,
  withFirstDraft,
  withSelection,
} from './selection.js';
import {
  activeClientDown,
  activeClientToolsUp,
  activeClientUp,
  metaUp,
  sessionDown,
  sessionUp,
  summaryDown,
  summaryUp,
  withoutCreationTime,
} from './session.js';

/** From 0.5.0 to 0.4: sessions with a summary, one active client and a model; no drafts. */
export const step04: Step = {
  name: '0.4',
  version: '0.4.0',
  down: {
    forms: {
      message: (message) => without(message, 'model', 'agent'),
      chat: chatDown,
      session: sessionDown,
      summary: summaryDown,
      model: (model) => without(model, 'maxOutputTokens', 'maxPromptTokens'),
      property: withTextChoices,
    },
    actions: {
      'session/activeClientSet': activeClientDown,
      'session/activeClientRemoved': activeClientDown,
      'chat/draftChanged': draftDown,
      'chat/activityChanged': 'absent',
      'chat/turnStarted': withSelection,
      'chat/truncated': withSelection,
      'session/defaultChatChanged': defaultChatDown,
      'session/metaChanged': withoutCreationTime,
    } satisfies StepActions<'0.5.0', '0.4.0'>,
    notice: (notice) => (notice.method === 'root/progress' ? undefined : notice),
  },
  up: {
    forms: {
      chat: chatUp,
      chatEntry: (entry) => without(entry, 'model', 'agent'),
      session: sessionUp,
      summary: summaryUp,
    },
    actions: {
      'session/modelChanged': selectedUp,
      'session/agentChanged': selectedUp,
      'session/activeClientChanged': activeClientUp,
      'session/activeClientToolsChanged': activeClientToolsUp,
      'session/metaChanged': metaUp,
      'chat/turnStarted': startUp,
    },
    request: (method, params) =>
      method === 'createSession' || method === 'createChat' ? withFirstDraft(params) : params,
  },
  clockActions: new Set([
    'session/titleChanged',
    'session/modelChanged',
    'session/agentChanged',
    'session/configChanged',
  ]),
};

/** No action of 0.4 would end an activity, so it is not shown. */
function chatDown(later: WireObject): WireObject {
  const { draft: _draft, activity: _activity, ...others } = later;
  return { ...others, ...selectionMembers(later as unknown as ChatState) };
}

/** Chats of sub-agents have no next message that a model could be chosen for. */
function chatUp(earlier: WireObject, { selection }: About): WireObject {
  const { model = selection?.model, agent = selection?.agent, ...others } = earlier;
  const isChosen = (model ?? agent) !== undefined && !isOfTool(earlier);
  if (!isChosen) return others;
  return { ...others, draft: { ...emptyDraft(), ...(model ? { model } : {}), ...(agent ? { agent } : {}) } };
}

function isOfTool({ origin }: WireObject): boolean {
  return (origin as WireObject | undefined)?.kind === 'tool';
}

/** 0.4 knows only texts to choose from. */
function withTextChoices(property: WireObject): WireObject {
  const { enum: choices } = property;
  if (!Array.isArray(choices) || choices.every((choice) => typeof choice === 'string')) return property;
  return without(property, 'enum', 'enumLabels', 'enumDescriptions');
}
