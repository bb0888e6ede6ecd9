import {
  AhpErrorCodes,
  type ChatInputRequest,
  modifiedAtOf,
  openRequests,
  RpcError,
  type SessionState,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import { invalidRequest } from '../../core/errors.js';
import { ENDS_TURN } from '../../core/keeping.js';
import type { HostContext } from '../context.js';
import { completed, isOfHost } from '../turns/turn-ends.js';
import { accessQuestion, answerOf, isAccessRequest, type Wanted } from './access-question.js';
import { ALWAYS, type GrantDuration, type Grants } from './grants.js';
import { MAX_OPEN_ACCESS_REQUESTS } from './limits.js';

interface Open {
  readonly clientId: string;
  readonly session: URI;
  readonly chat: Channel<'chat'>;
  readonly wanted: Wanted;
  readonly request: ChatInputRequest;
  readonly answer: Promise<void>;
  settle(refusal: RpcError | undefined): void;
}

/**
 * Asks the user for a client's access outside the roots, as a question in a session where that client is active. No one
 * else can be asked, and without an answer nothing is granted.
 */
export class AccessRequests {
  readonly #context: HostContext;
  readonly #grants: Grants;
  readonly #open = new Map<string, Open>();

  constructor(context: HostContext, grants: Grants) {
    this.#context = context;
    this.#grants = grants;
  }

  /** Resolves if the user allows the access, rejects otherwise. */
  ask(clientId: string, wanted: Wanted): Promise<void> {
    const own = [...this.#open.values()].filter((open) => open.clientId === clientId);
    const same = own.find((open) => isSame(open.wanted, wanted));
    if (same) return same.answer;
    if (own.length >= MAX_OPEN_ACCESS_REQUESTS) {
      throw invalidRequest(`a client can have ${MAX_OPEN_ACCESS_REQUESTS} open requests for access; wait for answers`);
    }
    const place = this.#placeToAsk(clientId);
    if (!place) throw refusal(NOBODY_TO_ASK);
    const { session, chat } = place;
    const name = activeClient(session.state, clientId)?.displayName ?? clientId;
    const request = accessQuestion(this.#context.ids.next(), name, wanted);
    let settle: Open['settle'] = () => {};
    const answer = new Promise<void>((resolve, reject) => {
      settle = (refused) => (refused ? reject(refused) : resolve());
    });
    this.#open.set(request.id, { clientId, session: session.uri, chat, wanted, request, answer, settle });
    this.#ask(chat, request);
    return answer;
  }

  /** Withdraws the questions of a client that disconnected. */
  clientGone(clientId: string): void {
    for (const { clientId: asker, chat, request } of [...this.#open.values()]) {
      if (asker !== clientId) continue;
      this.#settle(request.id, refusal('The client that asked has disconnected.'));
      this.#withdraw(chat, request.id);
    }
  }

  /** Withdraws questions from before a restart: the requests they belong to are gone. */
  settleAfterRestart(chat: Channel<'chat'>): void {
    for (const { id } of openRequests(chat.state)) if (isAccessRequest(id)) this.#withdraw(chat, id);
  }

  /** A question belongs to a turn. Where none runs, the host opens one of its own, which ends with the answer. */
  #ask(chat: Channel<'chat'>, request: ChatInputRequest): void {
    const { door, ids, clock } = this.#context;
    if (!chat.state.activeTurn) {
      const message = { text: '', origin: { kind: 'systemNotification' as const } };
      const startedAt = new Date(clock.now()).toISOString();
      door.commit(chat, { type: 'chat/turnStarted', turnId: ids.next(), startedAt, message });
    }
    const undo = () =>
      this.#settle(request.id, refusal('The question could not be stored, so nobody was asked. Try again.'));
    door.commit(chat, { type: 'chat/inputRequested', request }, { undo });
  }

  #withdraw(chat: Channel<'chat'>, requestId: string): void {
    if (!openRequests(chat.state).some(({ id }) => id === requestId)) return;
    const again = (same: Channel<'chat'>) => this.#withdraw(same, requestId);
    this.#context.door.commit(chat, { type: 'chat/inputCompleted', requestId, response: 'cancel' }, { again });
  }

  /** Ends a turn that the host opened only to ask. */
  #endOwnTurn(chat: Channel<'chat'>): void {
    const turn = chat.state.activeTurn;
    if (!turn || !isOfHost(turn) || openRequests(chat.state).length > 0) return;
    const again = (same: Channel<'chat'>) => this.#endOwnTurn(same);
    this.#context.door.commit(chat, completed(turn, this.#context.clock.now()), { again });
  }

  /** The most recently used session in which the client is active; its default chat is what a user looks at. */
  #placeToAsk(clientId: string): { session: Channel<'session'>; chat: Channel<'chat'> } | undefined {
    const { door } = this.#context;
    const sessions = [...door.channels.values()].filter(
      (channel): channel is Channel<'session'> =>
        isKind(channel, 'session') && activeClient(channel.state, clientId) !== undefined,
    );
    sessions.sort((a, b) => modifiedAtOf(b.state) - modifiedAtOf(a.state));
    for (const session of sessions) {
      const uri = session.state.defaultChat ?? session.state.chats[0]?.resource;
      const chat = uri === undefined ? undefined : door.channels.find('chat', uri);
      if (chat) return { session, chat };
    }
    return undefined;
  }

  onChat({ channel, action, before }: Committed<'chat'>): void {
    if (action.type === 'chat/inputCompleted') {
      const open = this.#open.get(action.requestId);
      const asked = openRequests(before).find(({ id }) => id === action.requestId);
      if (open && asked) this.#answered(open, answerOf(asked, action));
      this.#endOwnTurn(channel);
    } else if (ENDS_TURN.has(action.type)) {
      const wasOfHost = before.activeTurn && isOfHost(before.activeTurn);
      for (const open of this.#openIn(channel.uri)) {
        if (wasOfHost) this.#settle(open.request.id, refusal('The user dismissed the question.'));
        else this.#repeat(open);
      }
    }
  }

  onSession({ action }: Committed<'session'>): void {
    if (action.type !== 'session/chatRemoved') return;
    for (const { request } of this.#openIn(action.chat)) {
      this.#settle(request.id, refusal('The chat with the question was removed.'));
    }
  }

  #openIn(chat: URI): readonly Open[] {
    return [...this.#open.values()].filter((open) => open.chat.uri === chat);
  }

  #answered({ clientId, session, wanted, request }: Open, answer: ReturnType<typeof answerOf>): void {
    if (answer !== 'deny') this.#grants.add(clientId, wanted, durationOf(answer, session));
    this.#settle(request.id, answer === 'deny' ? refusal('The user did not allow it.') : undefined);
  }

  /** Nobody can answer a question of a turn that has ended; this one was not the turn's own. */
  #repeat({ chat, request }: Open): void {
    if (!openRequests(chat.state).some(({ id }) => id === request.id)) this.#ask(chat, request);
  }

  #settle(id: string, refused: RpcError | undefined): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.settle(refused);
  }
}

const NOBODY_TO_ASK =
  'There is nobody to ask: become the active client of a session first, so that its user can be asked, or start the host with --root for that folder.';

function refusal(message: string): RpcError {
  return new RpcError(AhpErrorCodes.PermissionDenied, message, { data: {} });
}

function activeClient({ activeClients }: SessionState, clientId: string) {
  return activeClients.find((client) => client.clientId === clientId);
}

function isSame(one: Wanted, other: Wanted): boolean {
  return one.path === other.path && one.read === other.read && one.write === other.write;
}

function durationOf(answer: 'once' | 'session' | 'always', session: URI): GrantDuration {
  if (answer === 'always') return ALWAYS;
  return answer === 'once' ? { kind: 'once' } : { kind: 'session', session };
}
