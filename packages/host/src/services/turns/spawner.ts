import { type ChatState, chatUri, errorOf, type Turn, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { AgentError, type TurnOutcome } from '../../ports/agent.js';
import type { SpawnedChat } from '../../ports/agent-turn.js';
import type { HostContext } from '../context.js';
import type { SessionService } from '../sessions/session-service.js';
import { endTurn } from './end-turn.js';
import { MAX_CHATS, MAX_SPAWN_DEPTH } from './limits.js';
import { cancelled } from './turn-ends.js';
import { Waiting } from './waiting.js';

/** Runs sub-agents: a tool call that runs a message in a chat of its own and waits for the answer (B-145, B-146). */
export class Spawner {
  readonly #context: HostContext;
  readonly #sessions: SessionService;
  readonly #ends = new Waiting<Turn | AgentError | undefined>();

  constructor(context: HostContext, sessions: SessionService) {
    this.#context = context;
    this.#sessions = sessions;
  }

  async spawn(
    parent: Channel<'chat'>,
    request: { toolCallId: string; title: string; message: string },
    signal: AbortSignal,
  ): Promise<SpawnedChat> {
    const { door, ids, clock } = this.#context;
    const { toolCallId, title } = request;
    const session = this.#sessions.sessionOf(parent);
    if (this.#depth(parent.state) >= MAX_SPAWN_DEPTH)
      throw tooMany(`Sub-agents can be nested ${MAX_SPAWN_DEPTH} deep.`);
    if (session.state.chats.length >= MAX_CHATS) throw tooMany(`A session can hold ${MAX_CHATS} chats.`);
    const chat = this.#sessions.addChat(session, {
      resource: chatUri.format(ids.next()),
      title,
      origin: { kind: 'tool', chat: parent.uri, toolCallId },
      interactivity: 'read-only',
      now: clock.now(),
      workingDirectories: parent.state.workingDirectories,
    });
    const turnId = ids.next();
    const ended = this.#ends.wait(key(chat.uri, turnId));
    const parentTurn = parent.state.activeTurn?.id;
    if (parentTurn !== undefined) {
      const content = [{ type: 'subagent' as const, resource: chat.uri, title }];
      door.commit(parent, { type: 'chat/toolCallContentChanged', turnId: parentTurn, toolCallId, content });
    }
    // A turn whose start could not be stored does not exist, nor does its chat: the spawning call fails.
    const undo = () => void this.#ends.settle(key(chat.uri, turnId), NOT_STORED);
    this.#sessions.startTurn(chat, { text: request.message, origin: { kind: 'agent' } }, turnId, { undo });
    const cancel = () => {
      const turn = chat.state.activeTurn;
      if (turn?.id === turnId) endTurn(this.#context, chat, cancelled(turn, clock.now()));
    };
    signal.addEventListener('abort', cancel, { once: true });
    const turn = await ended;
    signal.removeEventListener('abort', cancel);
    if (turn instanceof AgentError) throw turn;
    return { chat: chat.uri, outcome: outcomeOf(turn), text: answerText(turn) };
  }

  /** Passes the result of an ended turn to the call that spawned it, if any. */
  ended(chat: Channel<'chat'>, turnId: string): void {
    this.#ends.settle(
      key(chat.uri, turnId),
      chat.state.turns.find((turn) => turn.id === turnId),
    );
  }

  #depth(chat: ChatState): number {
    let depth = 0;
    for (let origin = chat.origin; origin?.kind === 'tool' && depth < MAX_SPAWN_DEPTH; depth++) {
      origin = this.#context.door.channels.find('chat', origin.chat)?.state.origin;
    }
    return depth;
  }
}

const NOT_STORED = new AgentError(
  'storeFailed',
  'The host could not store the start of a sub-agent. Check its disk, then retry.',
);

function key(chat: URI, turnId: string): string {
  return `${chat} ${turnId}`;
}

function tooMany(message: string): AgentError {
  return new AgentError('tooManySubagents', message);
}

function outcomeOf(turn: Turn | undefined): TurnOutcome {
  if (!turn || turn.state === 'cancelled') return { kind: 'cancelled' };
  if (turn.state === 'complete') return { kind: 'complete' };
  return { kind: 'error', error: errorOf(turn) ?? { errorType: 'subagentFailed', message: 'The sub-agent failed.' } };
}

function answerText(turn: Turn | undefined): string {
  return turn?.responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('') ?? '';
}
