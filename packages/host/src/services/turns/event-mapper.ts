import type { ActionOf, ToolCallState, ToolResultContent, Turn } from '@moorage/protocol';
import type { AgentEvent, ToolCallIdentity } from '../../ports/agent-events.js';
import type { ToolConfirmation } from '../../ports/agent-questions.js';
import { withNamedContents } from '../content/content-uri.js';

type ChatAction = ActionOf<'chat'>;

/** The mapper's state within a turn: the part that text is appended to. */
export interface MapperState {
  readonly open?: { readonly kind: 'markdown' | 'reasoning'; readonly id: string };
}

export interface Mapped {
  readonly state: MapperState;
  readonly actions: ChatAction[];
}

type Parts = Turn['responseParts'];

/** Maps an agent's event to chat actions. Pure; `parts` are the turn's response parts so far. */
export function mapEvent(state: MapperState, event: AgentEvent, turnId: string, parts: Parts): Mapped {
  switch (event.kind) {
    case 'text':
      return appendText(state, 'markdown', event.text, turnId, parts);
    case 'reasoning':
      return appendText(state, 'reasoning', event.text, turnId, parts);
    case 'contentRef':
      return closing({ type: 'chat/responsePart', turnId, part: { kind: 'contentRef', ...event.content } });
    case 'notice':
      return closing({
        type: 'chat/responsePart',
        turnId,
        part: { kind: 'systemNotification', content: event.text },
      });
    case 'usage':
      return { state, actions: [{ type: 'chat/usage', turnId, usage: event.usage }] };
    case 'toolCallStart':
      return closing(...startOf(turnId, event, parts));
    case 'toolCallInput': {
      const { toolCallId, text, progress } = event;
      const call = findCall(parts, toolCallId);
      if (call?.status !== 'streaming') return { state, actions: [] };
      const invocationMessage = progress === undefined ? {} : { invocationMessage: progress };
      return {
        state,
        actions: [{ type: 'chat/toolCallDelta', turnId, toolCallId, content: text, ...invocationMessage }],
      };
    }
    case 'toolCallRunning': {
      const { toolCallId, invocationMessage, toolInput, meta, confirmed = 'not-needed' } = event;
      const call = findCall(parts, toolCallId);
      if (call?.status !== 'streaming' && call?.status !== 'running') return { state, actions: [] };
      const details = { ...(toolInput !== undefined && { toolInput }), ...(meta && { _meta: meta }) };
      return {
        state,
        actions: [{ type: 'chat/toolCallReady', turnId, toolCallId, invocationMessage, confirmed, ...details }],
      };
    }
    case 'toolCallContent': {
      const { toolCallId, content } = event;
      if (findCall(parts, toolCallId)?.status !== 'running') return { state, actions: [] };
      const shown = content.map(withNamedEdit);
      return { state, actions: [{ type: 'chat/toolCallContentChanged', turnId, toolCallId, content: shown }] };
    }
    case 'toolCallDone': {
      const { toolCallId } = event;
      const { content } = event.result;
      const result = content ? { ...event.result, content: content.map(withNamedEdit) } : event.result;
      return { state, actions: completion(turnId, findCall(parts, toolCallId), result) };
    }
  }
}

/**
 * The actions that ask the user to approve a call, starting it if necessary. A call that is already being asked about
 * stays as it is.
 */
export function mapConfirmation(turnId: string, request: ToolConfirmation, parts: Parts): ChatAction[] {
  const { toolCallId, invocationMessage, identity, title, edits, editable, options, meta } = request;
  const call = findCall(parts, toolCallId);
  // Without it, a running call would lose its input (OQ-61).
  const toolInput = request.toolInput ?? (call?.status === 'running' ? call.toolInput : undefined);
  if (!call && !identity) return [];
  const start = call || !identity ? [] : startOf(turnId, identity, parts);
  if (call && call.status !== 'streaming' && call.status !== 'running') return start;
  return [
    ...start,
    {
      type: 'chat/toolCallReady',
      turnId,
      toolCallId,
      invocationMessage,
      ...(toolInput !== undefined && { toolInput }),
      ...(title !== undefined && { confirmationTitle: title }),
      ...(edits && { edits: { items: edits.map(withNamedContents) } }),
      ...(editable !== undefined && { editable }),
      ...(options && { options }),
      ...(meta && { _meta: meta }),
    },
  ];
}

/** The contents of an edit are named after its files, by which clients choose how to show them. */
function withNamedEdit(item: ToolResultContent): ToolResultContent {
  return item.type === 'fileEdit' ? { ...item, ...withNamedContents(item) } : item;
}

export function findCall(parts: Parts, toolCallId: string): ToolCallState | undefined {
  for (const part of parts) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) return part.toolCall;
  }
  return undefined;
}

function appendText(
  state: MapperState,
  kind: 'markdown' | 'reasoning',
  text: string,
  turnId: string,
  parts: Parts,
): Mapped {
  if (text === '') return { state, actions: [] };
  const type = kind === 'markdown' ? 'chat/delta' : 'chat/reasoning';
  if (state.open?.kind === kind) {
    return { state, actions: [{ type, turnId, partId: state.open.id, content: text }] };
  }
  const id = `${turnId}.${parts.length}`; // its index is unique in the turn, also after a restart (OQ-64)
  return {
    state: { open: { kind, id } },
    actions: [{ type: 'chat/responsePart', turnId, part: { kind, id, content: text } }],
  };
}

/** Anything but text closes the open part, so that later text comes after it. */
function closing(...actions: ChatAction[]): Mapped {
  return { state: {}, actions };
}

/** Starts a call once, however often the agent mentions it (OQ-64). */
function startOf(turnId: string, identity: ToolCallIdentity, parts: Parts): ChatAction[] {
  const { toolCallId, toolName, displayName, contributor, meta } = identity;
  if (findCall(parts, toolCallId)) return [];
  return [
    {
      type: 'chat/toolCallStart',
      turnId,
      toolCallId,
      toolName,
      displayName,
      ...(contributor && { contributor }),
      ...(meta && { _meta: meta }),
    },
  ];
}

/** A call can complete only after it is ready (OQ-62), so one that never was is made ready first. */
function completion(
  turnId: string,
  call: ToolCallState | undefined,
  result: Extract<AgentEvent, { kind: 'toolCallDone' }>['result'],
): ChatAction[] {
  if (!call) return [];
  const { toolCallId, displayName, status } = call;
  const complete: ChatAction = { type: 'chat/toolCallComplete', turnId, toolCallId, result };
  if (status === 'running' || status === 'pending-confirmation') return [complete];
  if (status !== 'streaming') return [];
  const invocationMessage = call.invocationMessage ?? displayName;
  const input = call.partialInput === undefined ? {} : { toolInput: call.partialInput };
  return [
    { type: 'chat/toolCallReady', turnId, toolCallId, invocationMessage, confirmed: 'not-needed', ...input },
    complete,
  ];
}
