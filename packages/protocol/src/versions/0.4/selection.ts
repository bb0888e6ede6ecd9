import type { ChatState } from '../../channels/chat/state.js';
import { selectionOf } from '../../channels/chat/turn-queries.js';
import { isObject } from '../../common/is-object.js';
import type { AddressedAction, Change } from '../dialect.js';
import { withModelObject } from '../shared/request-params.js';
import { asObject, defined, isSameJson, mapObject, toWire, type WireAction, type WireObject } from '../shared/wire.js';
import { type About, type Around, type LiftedAction, type LookUp, Refusal } from '../step.js';

/** The model and the agent that a chat would use next, as the members `model` and `agent` of 0.4. */
export function selectionMembers(chat: ChatState | undefined): WireObject {
  const { model, agent } = chat ? selectionOf(chat) : {};
  return { ...defined('model', model && withTextSettings(toWire(model))), ...defined('agent', agent) };
}

/** Adds what an action changes in the model and the agent of a session, which 0.4 says on the session. */
export function withSelection(action: WireAction, around: Around): readonly AddressedAction[] {
  const { channel, native } = around;
  return [{ channel, action }, ...selectionChange(native.session?.state.defaultChat, around)];
}

export function draftDown(_action: WireAction, around: Around): readonly AddressedAction[] {
  return selectionChange(around.native.session?.state.defaultChat, around);
}

/** With the default chat, its model and agent become those of the session. */
export function defaultChatDown(action: WireAction, around: Around): readonly AddressedAction[] {
  const { channel, directory } = around;
  const was = around.before ? chatOf(around.before, directory) : 'unknown';
  const is = chatOf(action, directory);
  return [{ channel, action }, ...addressed(channel, selectionActions(was, is))];
}

function chatOf({ defaultChat }: WireObject, directory: LookUp): ChatState | undefined {
  return typeof defaultChat === 'string' ? directory.chat(defaultChat) : undefined;
}

function selectionChange(shown: string | undefined, around: Around): readonly AddressedAction[] {
  const { channel, native, directory } = around;
  if (!native.session || shown !== channel) return [];
  return addressed(native.session.uri, changedSelection(native, directory));
}

/** The actions of 0.4 that say how a change of a chat changes its model and agent; in a replay, what they are now. */
export function changedSelection({ channel, before, after }: Change, directory: LookUp): readonly WireAction[] {
  const is = (after as ChatState | undefined) ?? directory.chat(channel);
  return selectionActions((before as ChatState | undefined) ?? 'unknown', is);
}

/** Where nobody knows what was, all that is gets said. */
function selectionActions(before: ChatState | 'unknown' | undefined, after: ChatState | undefined): WireAction[] {
  const was = before === 'unknown' ? { agent: 'unknown' } : selectionMembers(before);
  const is = selectionMembers(after);
  return [
    ...(is.model && !isSameJson(was.model, is.model) ? [{ type: 'session/modelChanged', model: is.model }] : []),
    ...(isSameJson(was.agent, is.agent) ? [] : [{ type: 'session/agentChanged', ...defined('agent', is.agent) }]),
  ];
}

function addressed(channel: string, actions: readonly WireAction[]): readonly AddressedAction[] {
  return actions.map((action) => ({ channel, action }));
}

/** In 0.4 the settings of a model are texts. */
function withTextSettings(model: WireObject): WireObject {
  return mapObject(model, 'config', (config) =>
    Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
  );
}

/** The model or agent of a session, chosen in 0.4, is that of the next message in its default chat. */
export function selectedUp(action: WireAction, { channel, directory }: About): readonly LiftedAction[] | Refusal {
  const chat = directory.chat(channel) ? channel : directory.session(channel)?.defaultChat;
  const state = chat === undefined ? undefined : directory.chat(chat);
  if (chat === undefined || !state) return new Refusal('the session has no chat');
  const { type: _, ...chosen } = withModelObject(action);
  const { model, agent } = { ...selectionOf(state), ...cleared(action), ...chosen };
  const { model: _model, agent: _agent, ...kept } = state.draft ?? emptyDraft();
  const draft = { ...kept, ...defined('model', model), ...defined('agent', agent) };
  return [{ channel: chat, action: { type: 'chat/draftChanged', draft }, isRephrased: true }];
}

/** An agent is cleared by leaving it out. */
function cleared({ type }: WireAction): WireObject {
  return type === 'session/agentChanged' ? { agent: undefined } : {};
}

/** A message of 0.4 is for the model and the agent that were chosen before. */
export function startUp(action: WireAction, { channel, directory }: About): WireObject {
  const chat = directory.chat(channel);
  if (!chat) return action;
  const { model, agent } = selectionOf(chat);
  return mapObject(action, 'message', (message) => ({
    ...message,
    ...(message.model === undefined && defined('model', model)),
    ...(message.agent === undefined && defined('agent', agent)),
  }));
}

/** The model and the agent with which a session or a chat is created are those of its first draft. */
export function withFirstDraft(params: WireObject): WireObject {
  const { model, agent, ...others } = withModelObject(params);
  if (model === undefined && agent === undefined) return others;
  const chosen = { ...defined('model', model), ...defined('agent', agent) };
  if (isObject(params.initialMessage)) return { ...others, initialMessage: { ...chosen, ...params.initialMessage } };
  return { ...others, _meta: { ...asObject(params._meta), 'moorage.draft': { ...emptyDraft(), ...chosen } } };
}

export function emptyDraft(): WireObject {
  return { text: '', origin: { kind: 'user' } };
}
