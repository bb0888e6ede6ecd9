import type { ActionEnvelope, ChatInputRequest, ChatState, ResponsePart, ToolCallState, Turn } from '@moorage/protocol';
import { expect } from 'vitest';
import { userMessage } from './test-host.js';
import type { WireClient } from './wire-client.js';

/** For `expect.poll`: a machine under load is no failure. */
export const PATIENT = { timeout: 30_000, interval: 10 };

let turns = 0;

/** Dispatches a turn with this message and gives its id; it does not wait for anything. */
export function startTurn(client: WireClient, chat: string, text: string, turnId = `turn-${++turns}`): string {
  client.dispatch(chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId,
    message: userMessage(text),
  });
  return turnId;
}

/** Runs a turn to its end, however it ends. The client must be subscribed to the chat. */
export async function turn(client: WireClient, chat: string, text: string, turnId?: string): Promise<string> {
  const id = startTurn(client, chat, text, turnId);
  await turnEnd(client, chat, id);
  return id;
}

/** Waits for the action that ends a turn, and gives it. */
export function turnEnd(client: WireClient, chat: string, turnId: string): Promise<ActionEnvelope['action']> {
  const ends = new Set(['chat/turnComplete', 'chat/turnCancelled', 'chat/error']);
  const isEnd = ({ channel, action, rejectionReason }: ActionEnvelope) =>
    channel === chat && !rejectionReason && ends.has(action.type) && 'turnId' in action && action.turnId === turnId;
  return client.envelope(isEnd).then((envelope) => envelope.action);
}

/** The answer to a question that offers options, with one of them. */
export function choice({ id, questions }: ChatInputRequest, option: string) {
  const answer = { state: 'submitted', value: { kind: 'selected', value: option } } as const;
  const answers = { [questions?.[0]?.id ?? '']: answer };
  return { type: 'chat/inputCompleted', requestId: id, response: 'accept', answers } as const;
}

/** The text that an agent said in a turn. */
export function textOf(turn: Pick<Turn, 'responseParts'> | undefined): string {
  return turn?.responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('') ?? '';
}

export function callsOf(parts: readonly ResponsePart[] | undefined): ToolCallState[] {
  return parts?.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : [])) ?? [];
}

/** The state of a chat as the host sees it now. */
export function chatState(client: WireClient, chat: string): Promise<ChatState> {
  return client.subscribe<ChatState>(chat);
}

/** Waits until the state of a chat shows something; for what may have happened before anybody watched. */
export async function shownIn<T>(
  client: WireClient,
  chat: string,
  find: (state: ChatState) => T | undefined,
): Promise<T> {
  for (;;) {
    const heard = client.received.length;
    const found = find(await chatState(client, chat));
    if (found !== undefined) return found;
    await client.until(() => (client.received.length > heard ? true : undefined), 'a change');
  }
}

/** Why an action was not accepted; fails when it was. */
export async function reasonFor(client: WireClient, channel: string, action: object): Promise<string> {
  const { rejectionReason } = await client.act(channel, action);
  if (rejectionReason === undefined) throw new Error(`the host accepted ${JSON.stringify(action)}`);
  return rejectionReason;
}

/** Dispatches an action that must be accepted. */
export async function accepted(client: WireClient, channel: string, action: object): Promise<ActionEnvelope> {
  const envelope = await client.act(channel, action);
  if (envelope.rejectionReason !== undefined) throw new Error(`rejected: ${envelope.rejectionReason}`);
  return envelope;
}

/** The action by which a user lets a tool call run. */
export function approval(turnId: string, toolCallId: string) {
  return { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: true, confirmed: 'user-action' } as const;
}

/** What a turn looks like, for `toMatchObject`, that ended in an error like this. */
export function endedIn(error: object): { state: 'error'; responseParts: unknown } {
  return {
    state: 'error',
    responseParts: expect.arrayContaining([{ kind: 'error', error: expect.objectContaining(error) }]),
  };
}
