import { AhpErrorCodes, type ChatState, RpcError, type SessionState, type Turn, type URI } from '@moorage/protocol';
import { hasTurn } from '../../core/chat-turns.js';
import type { ReadingDoor } from '../../core/door-parts.js';
import { invalidParams, sessionNotFound } from '../../core/errors.js';

export interface SessionForkSource {
  readonly session: SessionState;
  readonly chat: URI;
  readonly turnId: string;
  readonly turns: Turn[];
}

/**
 * The chat and turns a session fork starts from. The turn is looked up in the default chat first, then in the others
 * (OQ-33).
 */
export function sourceOfSessionFork(door: ReadingDoor, fork: { session: URI; turnId: string }): SessionForkSource {
  const session = door.channels.find('session', fork.session);
  if (!session) throw sessionNotFound(fork.session);
  const { chats, defaultChat } = session.state;
  const uris = chats.map((chat) => chat.resource).sort((a, b) => Number(b === defaultChat) - Number(a === defaultChat));
  for (const uri of uris) {
    const chat = door.channels.find('chat', uri);
    if (!chat || !hasTurn(chat.state, fork.turnId)) continue;
    return { session: session.state, chat: uri, turnId: fork.turnId, turns: forkedTurns(chat.state, fork.turnId) };
  }
  throw invalidParams(`params/_meta/moorage.fork/turnId: there is no turn "${fork.turnId}" in that session`);
}

/** The turns up to and including `turnId`. They keep their ids (OQ-50). */
export function forkedTurns(chat: ChatState, turnId: string): Turn[] {
  if (chat.activeTurn?.id === turnId) {
    throw new RpcError(AhpErrorCodes.TurnInProgress, 'the turn is still running; wait for it or cancel it first');
  }
  const index = chat.turns.findIndex((turn) => turn.id === turnId);
  if (index < 0) throw invalidParams(`params/source/turnId: there is no turn "${turnId}"`);
  return chat.turns.slice(0, index + 1);
}
